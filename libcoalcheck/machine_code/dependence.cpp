// SPDX-License-Identifier: Apache-2.0
//
// Follows values forward through the loop's registers, and through the branches that they decide,
// until nothing new is reached.
#include "libcoalcheck/machine_code/dependence.h"

#include <algorithm>

namespace coalcheck::machine_code {
namespace {

using Flags = std::array<bool, kSourceCount>;

// For each source the storage locations whose value depends on it.
using Taint = std::array<LocationSet, kSourceCount>;

bool Merge(Taint& into, const Taint& from) {
  bool changed = false;
  for (std::size_t i = 0; i < kSourceCount; ++i) changed = into[i].Add(from[i]) || changed;
  return changed;
}

bool Merge(Flags& into, const Flags& from) {
  bool changed = false;
  for (std::size_t i = 0; i < kSourceCount; ++i) {
    changed = changed || (from[i] && !into[i]);
    into[i] = into[i] || from[i];
  }
  return changed;
}

Flags SourcesOf(Effect effect) {
  return {effect == Effect::kStrongLoad, effect == Effect::kReturningAtomic,
          effect == Effect::kWeakLoad};
}

class LoopAnalysis {
 public:
  LoopAnalysis(const CodeView& code, std::span<const std::uint32_t> loop, std::uint64_t& steps_left)
      : code_(code), loop_(loop), steps_left_(steps_left), states_(loop.size()) {}

  Flags Run() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < loop_.size(); ++i) {
        if (!states_[i].stale) continue;
        if (!Spend(i)) return present_;
        states_[i].stale = false;
        Follow(i);
        changed = true;
      }
    }
    return ends_ ? deciding_ : present_;
  }

 private:
  struct State {
    Taint before;
    Flags controlled{};  // whether a source decides that this block is executed
    Flags steered{};     // the sources that decide its branch, as far as that was followed
    bool stale = true;   // the block's input has changed since it was followed
  };

  const Block& BlockOf(std::size_t i) const { return code_.blocks[loop_[i]]; }

  // The index of a block in loop_; loop_.size() if it is not part of the loop.
  std::size_t Find(std::uint32_t block) const {
    const auto at = std::lower_bound(loop_.begin(), loop_.end(), block);
    return at != loop_.end() && *at == block ? static_cast<std::size_t>(at - loop_.begin())
                                             : loop_.size();
  }

  bool Spend(std::size_t i) {
    const Block& block = BlockOf(i);
    // A jump table may lead to hundreds.
    const std::uint64_t ways = std::max<std::uint64_t>(block.successors.size(), 2) - 2;
    const std::uint64_t cost = block.end - block.begin + ways;
    if (cost > steps_left_) {
      steps_left_ = 0;
      for (std::size_t n = 0; n < loop_.size(); ++n) NotePresent(BlockOf(n));
      return false;
    }
    steps_left_ -= cost;
    return true;
  }

  void NotePresent(const Block& block) {
    for (std::uint32_t n = block.begin; n < block.end; ++n) NotePresent(n);
  }

  void NotePresent(std::uint32_t n) {
    Merge(present_, SourcesOf(code_.instructions[n].effect));
    if (code_.IsCall(n)) {
      const CallEffects& effects = code_.effects_of_call(n);
      Merge(present_, {effects.strong_load, effects.returning_atomic, effects.weak_load});
    }
  }

  static void Spread(Taint& taint, const Operands& operands, const Flags& sources) {
    for (std::size_t i = 0; i < kSourceCount; ++i) {
      bool tainted = sources[i];
      for (const LocationRange& range : operands.reads) {
        tainted = tainted || taint[i].HasAny(range.first, range.count);
      }
      if (tainted) {
        for (const LocationRange& range : operands.writes) taint[i].Add(range.first, range.count);
      } else {
        for (const LocationRange& range : operands.overwrites) {
          taint[i].Remove(range.first, range.count);
        }
      }
    }
  }

  // Everything that a function writes may depend on every value that it is given or reads.
  void Call(Taint& taint, std::uint32_t n, const Flags& controlled) const {
    const CallEffects& effects = code_.effects_of_call(n);
    const Flags sources{effects.strong_load, effects.returning_atomic, effects.weak_load};
    for (std::size_t i = 0; i < kSourceCount; ++i) {
      if (sources[i] || controlled[i] || !taint[i].empty()) taint[i].Add(effects.writes);
    }
  }

  Flags ConditionOf(const Block& block, const Taint& taint) const {
    Flags tainted{};
    for (const LocationRange& range : ReadCondition(code_.words[block.end - 1])) {
      for (std::size_t i = 0; i < kSourceCount; ++i) {
        tainted[i] = tainted[i] || taint[i].HasAny(range.first, range.count);
      }
    }
    // A jump table's register.
    if (code_.instructions[block.end - 1].flow == Flow::kJumpTable) {
      for (const LocationRange& range : ReadOperands(code_.words[block.end - 1], code_.sm).reads) {
        for (std::size_t i = 0; i < kSourceCount; ++i) {
          tainted[i] = tainted[i] || taint[i].HasAny(range.first, range.count);
        }
      }
    }
    return tainted;
  }

  void Follow(std::size_t i) {
    const Block& block = BlockOf(i);
    State& state = states_[i];
    Taint taint = state.before;
    for (std::uint32_t n = block.begin; n < block.end; ++n) {
      NotePresent(n);
      if (code_.IsCall(n)) {
        Call(taint, n, state.controlled);
        continue;
      }
      Flags sources = SourcesOf(code_.instructions[n].effect);
      Merge(sources, state.controlled);
      Spread(taint, ReadOperands(code_.words[n], code_.sm), sources);
    }
    Flags condition = ConditionOf(block, taint);
    if (Merge(state.steered, condition)) Control(loop_[i], state.steered);
    Merge(condition, state.controlled);
    if (Ends(block)) End(condition);
    for (const std::uint32_t to : block.successors) {
      const std::size_t next = Find(to);
      if (next == loop_.size()) {
        End(condition);
      } else if (Merge(states_[next].before, taint)) {
        states_[next].stale = true;
      }
    }
  }

  bool Ends(const Block& block) const {
    return block.leaves ||
           (code_.IsCall(block.end - 1) && code_.effects_of_call(block.end - 1).exits);
  }

  void End(const Flags& condition) {
    ends_ = true;
    Merge(deciding_, condition);
  }

  // The blocks between the branch at the end of `block` and the point where its paths meet again.
  void Control(std::uint32_t block, const Flags& sources) {
    const std::uint32_t meeting = code_.post_dominators[block];
    std::vector<std::uint32_t> open{block};
    std::vector<bool> seen(loop_.size(), false);
    while (!open.empty()) {
      const std::uint32_t from = open.back();
      open.pop_back();
      for (const std::uint32_t to : code_.blocks[from].successors) {
        const std::size_t at = Find(to);
        if (to == meeting || at == loop_.size() || seen[at]) continue;
        seen[at] = true;
        if (Merge(states_[at].controlled, sources)) states_[at].stale = true;
        steps_left_ -= std::min<std::uint64_t>(steps_left_, 1);
        open.push_back(to);
      }
    }
  }

  const CodeView& code_;
  std::span<const std::uint32_t> loop_;
  std::uint64_t& steps_left_;
  std::vector<State> states_;
  Flags present_{};
  Flags deciding_{};
  bool ends_ = false;
};

}  // namespace

bool CodeView::IsCall(std::uint32_t n) const {
  const Flow flow = instructions[n].flow;
  return flow == Flow::kCall || flow == Flow::kCallSymbol || flow == Flow::kCallRegister;
}

bool CodeView::MayWrite(std::uint32_t n, unsigned location) const {
  if (IsCall(n)) return effects_of_call(n).writes.Has(location);
  return std::ranges::any_of(ReadOperands(words[n], sm).writes,
                             [&](const LocationRange& write) { return write.Has(location); });
}

void CallEffects::Add(Effect effect) {
  strong_load = strong_load || effect == Effect::kStrongLoad;
  returning_atomic = returning_atomic || effect == Effect::kReturningAtomic;
  weak_load = weak_load || effect == Effect::kWeakLoad;
  fence = fence || effect == Effect::kFence;
  nanosleep = nanosleep || effect == Effect::kNanosleep;
  barrier = barrier || effect == Effect::kBarrier;
}

void CallEffects::Add(const CallEffects& other) {
  strong_load = strong_load || other.strong_load;
  returning_atomic = returning_atomic || other.returning_atomic;
  weak_load = weak_load || other.weak_load;
  fence = fence || other.fence;
  nanosleep = nanosleep || other.nanosleep;
  barrier = barrier || other.barrier;
  exits = exits || other.exits;
  writes.Add(other.writes);
}

std::array<bool, kSourceCount> FindDecidingSources(const CodeView& code,
                                                   std::span<const std::uint32_t> loop,
                                                   std::uint64_t& steps_left) {
  return LoopAnalysis(code, loop, steps_left).Run();
}

}  // namespace coalcheck::machine_code

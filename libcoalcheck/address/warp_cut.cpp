// SPDX-License-Identifier: Apache-2.0
//
// A loop that is left before its last round: what its registers hold then is not known, but for
// those of which every round makes the same, and those to which every round adds the same.
#include <algorithm>
#include <optional>
#include <vector>

#include "libcoalcheck/address/warp.h"

namespace coalcheck::address {
namespace {

// How a loop changes a register.
struct Change {
  std::uint32_t writes = 0;
  const Step* step = nullptr;  // the last one that writes it
  bool is_every_round = false;
  bool is_same = false;  // each round leaves the same
  Slot added = kNoSlot;  // what each round adds, or takes away
};

class LoopChanges {
 public:
  LoopChanges(const WarpState& state, std::uint32_t loop, std::uint32_t left_at)
      : program_(state.program), flow_(state.program.flow()), loop_(loop), left_at_(left_at) {
    changes_.resize(program_.slots());
    FindWrites();
    FindRules();
  }

  const std::vector<Slot>& written() const { return written_; }
  const Change& operator[](Slot slot) const { return changes_[slot]; }
  std::uint64_t cost() const { return 1 + steps_ / 4 + changes_.size() / 16; }

  bool IsOutside(Slot slot) const { return slot == kNoSlot || changes_[slot].writes == 0; }

  // What is compared where the loop is left, if nothing else ends it.
  const Step* Condition(Slot guard) const {
    for (const std::uint32_t block : flow_.BlocksOf(loop_)) {
      const ptx::Block& one = flow_.blocks()[block];
      const bool leaves = one.may_end || std::ranges::any_of(one.next, [&](std::uint32_t to) {
                            return !flow_.IsIn(to, loop_);
                          });
      if (leaves && block != left_at_) return nullptr;
    }
    if (guard == kNoSlot || changes_[guard].writes != 1) return nullptr;
    const Step* step = changes_[guard].step;
    const bool compares = step->code.op == ptx::Op::kSetp && step->code.type.IsInteger() &&
                          step->code.combine == ptx::Combine::kNone;
    if (!compares || !changes_[guard].is_every_round) return nullptr;
    const bool follows =
        std::all_of(step->source.begin(), step->source.begin() + step->sources, [&](Slot slot) {
          return IsOutside(slot) || changes_[slot].is_same || changes_[slot].added != kNoSlot;
        });
    return follows ? step : nullptr;
  }

 private:
  bool IsEveryRound(std::uint32_t block) const {
    if (flow_.blocks()[block].loop != loop_) return false;
    const std::vector<std::uint32_t>& ends = flow_.blocks()[flow_.loops()[loop_].header].previous;
    return std::ranges::all_of(ends, [&](std::uint32_t end) {
      return !flow_.IsIn(end, loop_) || flow_.Dominates(block, end);
    });
  }

  void FindWrites() {
    for (const std::uint32_t block : flow_.BlocksOf(loop_)) {
      const bool is_every_round = IsEveryRound(block);
      for (const Step& step : program_.StepsOf(block)) {
        ++steps_;
        for (std::size_t i = 0; i < step.results; ++i) {
          if (step.result[i] == kNoSlot) continue;
          Change& change = changes_[step.result[i]];
          if (change.writes++ == 0) written_.push_back(step.result[i]);
          change.step = &step;
          change.is_every_round = is_every_round && step.guard == kNoSlot;
        }
      }
    }
  }

  void FindRules() {
    for (int i = 0; i < 2; ++i) {
      for (const Slot slot : written_) {
        Change& change = changes_[slot];
        if (change.writes != 1 || !change.is_every_round) continue;
        change.is_same = IsSame(*change.step);
        change.added = AddedBy(*change.step, slot);
      }
    }
  }

  bool IsSame(const Step& step) const {
    const bool is_argument = step.kind == StepKind::kLoad && step.space == ptx::Space::kParam;
    const bool is_computed =
        (step.kind == StepKind::kCompute && step.compute.exists() && !step.code.carries) ||
        step.kind == StepKind::kPack || step.kind == StepKind::kUnpack;
    if (!is_argument && !is_computed) return false;
    return std::all_of(step.source.begin(), step.source.begin() + step.sources,
                       [&](Slot slot) { return IsOutside(slot) || changes_[slot].is_same; });
  }

  Slot AddedBy(const Step& step, Slot slot) const {
    const bool adds = step.code.op == ptx::Op::kAdd;
    const bool is_sum = adds || step.code.op == ptx::Op::kSub;
    if (step.kind != StepKind::kCompute || !is_sum || !step.compute.exists()) return kNoSlot;
    if (!step.code.type.IsInteger() || step.code.type.bytes < 4 || step.sources != 2) {
      return kNoSlot;
    }
    const bool is_first = step.source[0] == slot;
    if (!is_first && (!adds || step.source[1] != slot)) return kNoSlot;
    const Slot added = step.source[is_first ? 1 : 0];
    return added != kNoSlot && IsOutside(added) ? added : kNoSlot;
  }

  const Program& program_;
  const ptx::ControlFlow& flow_;
  const std::uint32_t loop_;
  const std::uint32_t left_at_;
  std::vector<Change> changes_;
  std::vector<Slot> written_;
  std::uint64_t steps_ = 0;
};

// Whether all lanes leave after the same round.
bool AreAlike(const WarpState& state, const Step* condition, LaneMask lanes) {
  if (condition == nullptr) return false;
  for (std::uint32_t i = 0; i < condition->sources; ++i) {
    const std::optional<Common> common = CommonOf(state.Source(*condition, i), lanes);
    if (!common || common->is_of_lanes) return false;
  }
  return true;
}

}  // namespace

void Warp::ForgetRounds(std::uint32_t block, LaneMask lanes) {
  if (lanes == 0 || keeps_cut_) return;
  if (StoresBehind(block)) state_.own_memory.clear();
  const Step& branch = state_.program.StepsOf(block).back();
  const LoopChanges changes(state_, state_.program.flow().blocks()[block].loop, block);
  state_.Spend(changes.cost());
  Unknowns& unknowns = state_.unknowns;
  const Origins origins = unknowns.One({Origin::Kind::kNotComputed, branch.instruction});
  const bool are_alike = AreAlike(state_, changes.Condition(branch.guard), lanes);
  const Form rounds =
      are_alike ? unknowns.Symbol({Unknowns::Of::kLeftRounds, block, unknowns.size()}, origins)
                : unknowns.LaneSymbols(origins);
  for (const Slot slot : changes.written()) {
    const Change& change = changes[slot];
    if (change.is_same || !state_.program.IsCarried(slot)) continue;
    const bool adds = change.added != kNoSlot && state_.slots[change.added].is_known;
    const Form other = adds ? kNoForm : unknowns.LaneSymbols(origins);
    state_.Spend(WarpState::kUnknownCost);
    EachLane(lanes, [&](std::uint32_t lane) {
      if (!adds) return state_.slots[slot].Set(lane, {0, other + lane});
      const auto each = static_cast<std::uint64_t>(
          SignExtend(state_.slots[change.added].bits[lane], change.step->code.type.bytes));
      const bool is_sub = change.step->code.op == ptx::Op::kSub;
      const Form added = unknowns.Scale(rounds + (are_alike ? 0 : lane), is_sub ? 0 - each : each);
      const Value now = state_.slots[slot].At(lane);
      state_.slots[slot].Set(lane, {now.bits, unknowns.Add(now.form, added)});
    });
  }
}

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// Cuts code into blocks and follows the flow from the entries on. Where a BSYNC goes is what the
// last BSSY of its barrier said, so that what the barriers hold is followed too.
#include "libcoalcheck/machine_code/control_flow.h"

#include <algorithm>
#include <array>

#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::machine_code {
namespace {

constexpr std::int64_t kWordSize = cubin::kSassWordSize;
constexpr std::int64_t kUnset = -1;
constexpr std::int64_t kSeveral = -2;
// More ways from block to block make a flow unreadable: a barrier may lead to each that set it.
constexpr std::size_t kMostWays = 500'000;

// Where each convergence barrier leads, on the paths to a block.
struct Barriers {
  std::array<std::int64_t, 16> targets;
  bool seen = false;

  // True when this learns something.
  bool Merge(const Barriers& other) {
    if (!seen) {
      *this = other;
      seen = true;
      return true;
    }
    bool changed = false;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const std::int64_t before = targets[i];
      if (other.targets[i] == kUnset || other.targets[i] == before) continue;
      targets[i] = before == kUnset ? other.targets[i] : kSeveral;
      changed = changed || targets[i] != before;
    }
    return changed;
  }
};

class Builder {
 public:
  Builder(std::span<const Instruction> code, const JumpTables& tables)
      : code_(code), tables_(tables) {}

  ControlFlow Build(std::span<const std::int64_t> entries) {
    MarkLeaders(entries);
    MakeBlocks();
    states_.resize(flow_.blocks.size());
    Barriers none{};
    none.targets.fill(kUnset);
    for (const std::int64_t entry : entries) Reach(entry, none);
    while (!work_.empty() && flow_.ways <= kMostWays) {
      const std::uint32_t block = work_.back();
      work_.pop_back();
      queued_[block] = false;
      Follow(block);
    }
    Connect();
    return std::move(flow_);
  }

 private:
  bool IsInside(std::int64_t pc) const {
    return pc >= 0 && pc % kWordSize == 0 &&
           pc / kWordSize < static_cast<std::int64_t>(code_.size());
  }

  void MarkLeader(std::int64_t pc) {
    if (IsInside(pc)) leaders_[static_cast<std::size_t>(pc / kWordSize)] = true;
  }

  void MarkLeaders(std::span<const std::int64_t> entries) {
    leaders_.assign(code_.size() + 1, false);
    for (const std::int64_t entry : entries) MarkLeader(entry);
    for (const auto& [pc, targets] : tables_) {
      for (const std::int64_t target : targets) MarkLeader(target);
    }
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& instruction = code_[i];
      if (instruction.flow == Flow::kNext) continue;
      leaders_[i + 1] = true;
      MarkLeader(instruction.target);
      if (instruction.flow == Flow::kSetSync) {
        sync_targets_[instruction.barrier].push_back(instruction.target);
      }
    }
  }

  void MakeBlocks() {
    flow_.block_of.resize(code_.size());
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (i == 0 || leaders_[i]) {
        Block block;
        block.begin = static_cast<std::uint32_t>(i);
        flow_.blocks.push_back(block);
      }
      flow_.block_of[i] = static_cast<std::uint32_t>(flow_.blocks.size() - 1);
      flow_.blocks.back().end = static_cast<std::uint32_t>(i + 1);
    }
    queued_.assign(flow_.blocks.size(), false);
    followed_.assign(flow_.blocks.size(), 0);
  }

  void Reach(std::int64_t pc, const Barriers& barriers) {
    if (!IsInside(pc)) {
      flow_.readable = false;
      return;
    }
    const std::uint32_t block = flow_.block_of[static_cast<std::size_t>(pc / kWordSize)];
    if (!states_[block].Merge(barriers) || queued_[block]) return;
    queued_[block] = true;
    work_.push_back(block);
  }

  // Byte offsets to which `instruction`, the last of its block, may jump. Valid until the next
  // call.
  std::span<const std::int64_t> Targets(const Instruction& instruction, std::int64_t pc,
                                        const Barriers& barriers) {
    switch (instruction.flow) {
      case Flow::kJump:
      case Flow::kCollective:
        return OnlyTarget(instruction.target);
      case Flow::kJumpTable:
        if (const auto table = tables_.find(pc); table != tables_.end()) return table->second;
        flow_.readable = false;
        return {};
      case Flow::kSync: {
        const std::int64_t target = barriers.targets[instruction.barrier];
        if (target == kSeveral) return sync_targets_[instruction.barrier];
        return OnlyTarget(target == kUnset ? pc + kWordSize : target);
      }
      case Flow::kUnknown:
        flow_.readable = false;
        return {};
      default:
        return {};
    }
  }

  std::span<const std::int64_t> OnlyTarget(std::int64_t target) {
    only_target_ = target;
    return {&only_target_, 1};
  }

  static bool GoesOn(const Instruction& instruction) {
    switch (instruction.flow) {
      case Flow::kJump:
      case Flow::kJumpTable:
      case Flow::kSync:
      case Flow::kReturn:
      case Flow::kExit:
      case Flow::kUnknown:
        return instruction.conditional;
      default:
        return true;
    }
  }

  void Follow(std::uint32_t number) {
    Block& block = flow_.blocks[number];
    block.reached = true;
    block.successors.clear();
    ++follows_;
    const Instruction& last = code_[block.end - 1];
    const std::int64_t pc = (static_cast<std::int64_t>(block.end) - 1) * kWordSize;
    Barriers after = states_[number];
    const std::span<const std::int64_t> targets = Targets(last, pc, after);
    if (last.flow == Flow::kSetSync) after.targets[last.barrier] = last.target;
    if (last.flow == Flow::kLoseSync) after.targets.fill(kSeveral);
    if (last.flow == Flow::kSync && !last.conditional) after.targets[last.barrier] = kUnset;
    block.leaves = last.flow == Flow::kReturn || last.flow == Flow::kExit;
    flow_.ways += targets.size();
    if (flow_.ways > kMostWays) {
      flow_.readable = false;
      return;
    }
    for (const std::int64_t target : targets) Step(block, target, after);
    if (GoesOn(last)) Step(block, pc + kWordSize, after);
  }

  void Step(Block& block, std::int64_t target, const Barriers& barriers) {
    Reach(target, barriers);
    if (!IsInside(target)) return;
    const std::uint32_t to = flow_.block_of[static_cast<std::size_t>(target / kWordSize)];
    if (followed_[to] == follows_) return;
    followed_[to] = follows_;
    block.successors.push_back(to);
  }

  void Connect() {
    for (std::uint32_t i = 0; i < flow_.blocks.size(); ++i) {
      for (const std::uint32_t to : flow_.blocks[i].successors) {
        flow_.blocks[to].predecessors.push_back(i);
      }
    }
    MarkCallsThatExit();
  }

  // ptxas jumps to an EXIT by a call now and then. If a call's target can reach an EXIT, the
  // function may end at the call.
  void MarkCallsThatExit() {
    std::vector<bool> exits(flow_.blocks.size(), false);
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < flow_.blocks.size(); ++i) {
      if (code_[flow_.blocks[i].end - 1].flow == Flow::kExit) open.push_back(i);
    }
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      if (exits[block]) continue;
      exits[block] = true;
      const std::vector<std::uint32_t>& from = flow_.blocks[block].predecessors;
      open.insert(open.end(), from.begin(), from.end());
    }
    for (Block& block : flow_.blocks) {
      const Instruction& last = code_[block.end - 1];
      if (last.flow != Flow::kCall || !IsInside(last.target)) continue;
      const auto callee = static_cast<std::size_t>(last.target / kWordSize);
      block.leaves = block.leaves || exits[flow_.block_of[callee]];
    }
  }

  std::span<const Instruction> code_;
  const JumpTables& tables_;
  ControlFlow flow_;
  std::vector<bool> leaders_;
  std::array<std::vector<std::int64_t>, 16> sync_targets_;
  std::vector<Barriers> states_;
  std::vector<bool> queued_;
  std::vector<std::uint32_t> work_;
  std::uint64_t follows_ = 0;            // how often a block was followed
  std::vector<std::uint64_t> followed_;  // which of these went to a block last
  std::int64_t only_target_ = 0;
};

}  // namespace

std::optional<std::uint32_t> ControlFlow::BlockAt(std::int64_t offset) const {
  const auto n = static_cast<std::uint64_t>(offset) / cubin::kSassWordSize;
  if (offset < 0 || n >= block_of.size()) return std::nullopt;
  return block_of[n];
}

ControlFlow BuildControlFlow(std::span<const Instruction> code, const JumpTables& tables,
                             std::span<const std::int64_t> entries) {
  return Builder(code, tables).Build(entries);
}

}  // namespace coalcheck::machine_code

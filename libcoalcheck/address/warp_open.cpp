// SPDX-License-Identifier: Apache-2.0
//
// Branches that unknown data decide: both ways are run, and what they leave different is one of
// two.
#include <optional>
#include <vector>

#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/address/warp.h"

namespace coalcheck::address {
namespace {

using Registers = std::vector<LaneValues>;

Registers ValuesOf(const WarpState& warp, const std::vector<Slot>& slots) {
  Registers values;
  values.reserve(slots.size());
  for (const Slot slot : slots) values.push_back(warp.slots[slot]);
  return values;
}

void SetValues(WarpState& warp, const std::vector<Slot>& slots, LaneMask lanes,
               const Registers& values) {
  for (std::size_t i = 0; i < slots.size(); ++i) warp.slots[slots[i]].Take(lanes, values[i]);
}

// A register that the two ways left different holds one of both.
void MergeAll(WarpState& warp, std::uint64_t which, const std::vector<Slot>& slots,
              const Registers& others, const LaneValues& guard, LaneMask lanes) {
  for (std::size_t i = 0; i < slots.size() && lanes != 0; ++i) {
    warp.Merge(which, slots[i], others[i], guard, lanes);
  }
}

using OwnMemory = decltype(WarpState::own_memory);

OwnMemory MemoryIf(WarpState& warp, bool is_written) {
  if (!is_written) return {};
  warp.Spend(warp.own_memory.size() / 8);
  return warp.own_memory;
}

bool IsOf(std::uint64_t key, LaneMask lanes) { return (lanes >> (key & 31U) & 1U) != 0; }

// These lanes have what `others` holds.
void SetMemory(WarpState& warp, const OwnMemory& others, LaneMask lanes) {
  warp.Spend((warp.own_memory.size() + others.size()) / 8);
  absl::erase_if(warp.own_memory, [&](const auto& one) { return IsOf(one.first, lanes); });
  for (const auto& [key, value] : others) {
    if (IsOf(key, lanes)) warp.own_memory.emplace(key, value);
  }
}

// What the two ways left different in these lanes is not known.
void MergeMemory(WarpState& warp, const OwnMemory& others, LaneMask lanes) {
  warp.Spend(warp.own_memory.size() / 8);
  absl::erase_if(warp.own_memory, [&](const auto& one) {
    if (!IsOf(one.first, lanes)) return false;
    const auto other = others.find(one.first);
    return other == others.end() || other->second != one.second;
  });
}

bool MayWriteOwnMemory(const Step& step) {
  const bool is_store = step.kind == StepKind::kStore || step.kind == StepKind::kCall;
  return is_store || (step.kind == StepKind::kAccess && step.code.op == ptx::Op::kSt &&
                      step.space == ptx::Space::kGeneric);
}

bool Leaves(const ptx::ControlFlow& flow, std::uint32_t loop, std::uint32_t to) {
  return to == ptx::kNone || !flow.IsIn(to, loop);
}

}  // namespace

// What is open on the way that lanes take whose condition holds, or does not.
Warp::Openness Warp::WayOf(Openness open, const Step& step, const LaneCondition& condition,
                           bool holds) {
  Openness way = Joined(open, condition, holds);
  way.bounds = state_.conditions.With(open.bounds, state_.slots[step.guard], condition.open,
                                      holds != step.guard_negated);
  way.guards = Guarded(open.guards, step, condition, holds);
  return way;
}

// Runs both ways one after the other, from the same state, for the lanes whose condition is
// unknown.
std::uint32_t Warp::OpenBranch(std::uint32_t block, const Step& step,
                               const LaneCondition& condition, LaneMask lanes, Openness open,
                               int depth) {
  const std::uint32_t target = step.target;
  const ptx::ControlFlow& flow = state_.program.flow();
  const ptx::Block& here = flow.blocks()[block];
  const std::uint32_t on = here.next.empty() ? ptx::kNone : here.next.back();
  const std::uint32_t meet = here.post_dominator;
  LaneMask to_target = condition.holds | condition.open;
  LaneMask to_on = (lanes & ~condition.holds) | condition.open;
  // After enough rounds lanes leave the loop, whichever way that is.
  if (open_rounds_[block] >= most_open_rounds_ && here.loop != ptx::kNone) {
    has_open_rounds_ = true;
    const bool target_leaves = Leaves(flow, here.loop, target);
    if (target_leaves != Leaves(flow, here.loop, on)) {
      (target_leaves ? to_on : to_target) &= ~condition.open;
    }
  }
  ++open_rounds_[block];
  const std::vector<Slot>& written = WrittenBehind(block);
  state_.Spend(written.size() / 2);
  const LaneValues guard = state_.slots[step.guard];
  const Registers before = ValuesOf(state_, written);
  const bool stores = StoresBehind(block);
  const OwnMemory memory_before = MemoryIf(state_, stores);
  const LaneMask exited_before = exited_;
  const bool is_left_open = open.taking != Taking::kCertain;
  const Openness taken = WayOf(open, step, condition, true);
  const Openness passed = WayOf(open, step, condition, false);
  RunFrom(target, meet, to_target, taken, depth + 1);
  const LaneMask left_by_target = exited_ & ~exited_before & condition.open;
  exited_ &= ~left_by_target;
  const Registers after_target = ValuesOf(state_, written);
  const LaneMask again = condition.open & to_on;
  SetValues(state_, written, again, before);
  const OwnMemory memory_after = MemoryIf(state_, stores);
  if (stores) SetMemory(state_, memory_before, again);
  RunFrom(on, meet, to_on, passed, depth + 1);
  --open_rounds_[block];
  const LaneMask left_by_on = exited_ & ~exited_before & condition.open;
  exited_ &= ~left_by_on;
  exited_ |= left_by_target & left_by_on;
  const LaneMask may_have_left = left_by_target ^ left_by_on;
  if (may_have_left != 0) {
    left_ = Joined(left_, condition, left_by_target == 0);
    left_.guards = Guarded(left_.guards, step, condition, left_by_target == 0);
    // Lanes that go on took the other way, unless this branch lies on an open way itself.
    const bool one_left = (left_by_target == 0) != (left_by_on == 0);
    if (one_left && !is_left_open) {
      left_.bounds = state_.conditions.With(left_.bounds, guard, may_have_left,
                                            (left_by_target != 0) == step.guard_negated);
    }
  }
  // Lanes that left on one way go on with what the other way made of them.
  const LaneMask both = again & to_target & ~left_by_target & ~left_by_on;
  const LaneMask only_target = again & left_by_on & ~left_by_target;
  SetValues(state_, written, only_target, after_target);
  if (stores) SetMemory(state_, memory_after, only_target);
  if (stores) MergeMemory(state_, memory_after, both);
  MergeAll(state_, step.instruction, written, after_target, guard, both);
  return meet;
}

void Warp::OpenSwitch(std::uint32_t block, const Step& step,
                      const std::vector<std::uint32_t>& targets, LaneMask lanes, Openness open,
                      int depth) {
  const ptx::ControlFlow& flow = state_.program.flow();
  const ptx::Block& here = flow.blocks()[block];
  const LaneValues index = state_.Source(step, 0);
  LaneCondition condition{0, lanes, index.is_uniform, 0};
  EachLane(lanes, [&](std::uint32_t lane) {
    condition.origins =
        state_.unknowns.Join(condition.origins, state_.unknowns.OriginsOf(index.FormAt(lane)));
  });
  condition.if_holds = index.is_uniform ? Taking::kWarpOpen : Taking::kLaneOpen;
  Openness inside = Joined(open, condition, true);
  inside.guards = Guarded(open.guards, step, condition, false);
  const bool is_enough = open_rounds_[block] >= most_open_rounds_ && here.loop != ptx::kNone;
  has_open_rounds_ = has_open_rounds_ || is_enough;
  ++open_rounds_[block];
  const std::vector<Slot>& written = WrittenBehind(block);
  const Registers before = ValuesOf(state_, written);
  const bool stores = StoresBehind(block);
  const OwnMemory memory_before = MemoryIf(state_, stores);
  OwnMemory merged_memory;
  const LaneMask exited_before = exited_;
  Registers merged;
  LaneMask arrived = 0;    // at the end of one of the ways so far
  LaneMask left = lanes;   // on each of them
  LaneMask may_leave = 0;  // on one of them
  for (std::size_t way = 0; way < targets.size() && end_ == WarpEnd::kDone; ++way) {
    if (is_enough && flow.IsIn(targets[way], here.loop)) continue;
    state_.Spend(written.size() / 2);
    SetValues(state_, written, lanes, before);
    if (stores) SetMemory(state_, memory_before, lanes);
    RunFrom(targets[way], here.post_dominator, lanes, inside, depth + 1);
    const LaneMask left_here = exited_ & ~exited_before & lanes;
    exited_ = exited_before;
    left &= left_here;
    may_leave |= left_here;
    const std::uint64_t which = step.instruction | (way + 1) << 32U;
    for (std::size_t i = 0; i < written.size() && arrived != 0; ++i) {
      state_.slots[written[i]].Take(arrived & left_here, merged[i]);
      if ((arrived & ~left_here) == 0) continue;
      state_.Merge(which, written[i], merged[i], index, arrived & ~left_here);
    }
    if (stores && arrived != 0) {
      SetMemory(state_, merged_memory, arrived & left_here);
      MergeMemory(state_, merged_memory, arrived & ~left_here);
    }
    merged_memory = MemoryIf(state_, stores);
    arrived |= lanes & ~left_here;
    merged = ValuesOf(state_, written);
  }
  --open_rounds_[block];
  exited_ |= left;
  if ((may_leave & ~left) != 0) left_ = Joined(left_, condition, true);
}

// The registers that others read and that may be written between the end of a block and where its
// ways meet.
const std::vector<Slot>& Warp::WrittenBehind(std::uint32_t block) {
  std::optional<std::vector<Slot>>& known = written_behind_[block];
  if (known) return *known;
  const std::vector<ptx::Block>& blocks = state_.program.flow().blocks();
  const std::uint32_t meet = blocks[block].post_dominator;
  std::vector<bool> seen(blocks.size(), false);
  std::vector<bool> is_written(state_.program.registers(), false);
  std::vector<std::uint32_t> work = blocks[block].next;
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    if (at == meet || seen[at]) continue;
    seen[at] = true;
    state_.Spend(1);
    for (const Step& step : state_.program.StepsOf(at)) {
      if (MayWriteOwnMemory(step)) stores_behind_[block] = true;
      for (const Slot slot : step.result) {
        if (slot < is_written.size()) is_written[slot] = state_.program.IsCarried(slot);
      }
    }
    work.insert(work.end(), blocks[at].next.begin(), blocks[at].next.end());
  }
  known.emplace();
  for (Slot slot = 0; slot < is_written.size(); ++slot) {
    if (is_written[slot]) known->push_back(slot);
  }
  return *known;
}

bool Warp::StoresBehind(std::uint32_t block) {
  WrittenBehind(block);
  return stores_behind_[block];
}

}  // namespace coalcheck::address

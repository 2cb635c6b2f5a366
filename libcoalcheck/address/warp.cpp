// SPDX-License-Identifier: Apache-2.0
//
// Control flow of a warp.
#include "libcoalcheck/address/warp.h"

#include <algorithm>
#include <set>

#include "libcoalcheck/address/warp_steps.h"

namespace coalcheck::address {
namespace {

constexpr int kDeepest = 128;
constexpr std::size_t kMostGuards = 512;
constexpr Guard kLost{nullptr, 0, false, false, true, 0};

// Whether the addresses of lanes that take part are.
bool AreKnown(const LaneValues& addresses, LaneMask lanes) {
  bool are_known = true;
  EachLane(addresses.is_known ? 0 : lanes,
           [&](std::uint32_t lane) { are_known = are_known && addresses.FormAt(lane) == kNoForm; });
  return are_known;
}

// The lanes whose addresses are known to be of other memory than the global one.
LaneMask LanesElsewhere(const LaneValues& addresses, LaneMask lanes) {
  LaneMask elsewhere = 0;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value address = addresses.At(lane);
    const bool is_elsewhere = address.form == kNoForm && address.bits >= kSharedWindow &&
                              address.bits - kSharedWindow < 4 * kWindowBytes;
    if (is_elsewhere) elsewhere |= 1U << lane;
  });
  return elsewhere;
}

}  // namespace

Warp::Warp(const Program& program, const LaunchValues& launch, Unknowns& unknowns,
           std::uint64_t& steps)
    : state_(program, launch, unknowns, steps),
      open_rounds_(program.flow().blocks().size()),
      rounds_(program.flow().blocks().size()),
      written_behind_(program.flow().blocks().size()),
      stores_behind_(program.flow().blocks().size()) {}

WarpEnd Warp::Run(Extent block, std::uint32_t warp, RequestSink& sink) {
  sink_ = &sink;
  exited_ = 0;
  left_ = {};
  guards_.clear();
  end_ = WarpEnd::kDone;
  has_open_rounds_ = false;
  std::ranges::fill(open_rounds_, std::uint8_t{0});
  std::ranges::fill(rounds_, 0U);
  state_.Spend(rounds_.size() / 8);
  state_.Begin(block, warp);
  const std::uint64_t threads = state_.launch.block.count();
  const std::uint64_t first = std::uint64_t{warp} * kWarpSize;
  if (first >= threads) return WarpEnd::kDone;
  const std::uint64_t lanes = std::min<std::uint64_t>(threads - first, kWarpSize);
  state_.existing = static_cast<LaneMask>((std::uint64_t{1} << lanes) - 1);
  RunFrom(0, ptx::kNone, state_.existing, {}, 0);
  return end_;
}

void Warp::RunFrom(std::uint32_t block, std::uint32_t stop, LaneMask lanes, Openness open,
                   int depth) {
  if (depth > kDeepest) end_ = WarpEnd::kTooDeep;
  lanes &= ~exited_;
  while (block != stop && block != ptx::kNone && lanes != 0 && end_ == WarpEnd::kDone) {
    std::uint32_t next = state_.program.NextOf(block);
    const std::span<const Step> steps = state_.program.StepsOf(block);
    if (steps.empty()) {  // such blocks may follow each other in a circle
      if (state_.steps == 0) end_ = WarpEnd::kOutOfSteps;
      state_.Spend(1);
    }
    for (const Step& step : steps) {
      if (state_.steps == 0) end_ = WarpEnd::kOutOfSteps;
      if (state_.unknowns.IsFull()) end_ = WarpEnd::kTooManyUnknowns;
      if (end_ != WarpEnd::kDone) return;
      state_.Spend(step.cost);
      if (step.kind == StepKind::kBranch) {
        next = Branch(block, step, stop, lanes, open, depth);
      } else if (step.kind == StepKind::kSwitch) {
        next = Switch(block, step, lanes, open, depth);
      } else if (step.kind == StepKind::kEnd) {
        End(step, lanes);
      } else {
        Execute(step, lanes, open);
      }
    }
    lanes &= ~exited_;
    block = next;
  }
}

void Warp::Execute(const Step& step, LaneMask lanes, Openness open) {
  const LaneCondition guard = state_.ConditionOf(step.guard, step.guard_negated, lanes);
  const LaneMask active = guard.holds | guard.open;
  if (active == 0) return;
  const Origin not_computed{Origin::Kind::kNotComputed, step.instruction};
  switch (step.kind) {
    case StepKind::kCompute:
      if (IsOpenByShape(step)) return GiveToWarp(step, active, guard, not_computed);
      return Compute(state_, step, active, guard);
    case StepKind::kNotFollowed:
      return GiveToWarp(step, active, guard, {Origin::Kind::kNotComputed, ptx::kNone});
    case StepKind::kOfData:
      return state_.GiveNew(step, active, guard,
                            state_.unknowns.One({Origin::Kind::kLoaded, step.instruction}));
    case StepKind::kPack:
      return Pack(state_, step, active, guard);
    case StepKind::kUnpack:
      return Unpack(state_, step, active, guard);
    case StepKind::kAccess:
    case StepKind::kAtomic:
      return Access(step, active, guard, open);
    case StepKind::kLoad:
      return Load(state_, step, active, guard);
    case StepKind::kStore:
      return Store(state_, step, active, guard.open);
    case StepKind::kCall:
      state_.own_memory.clear();  // it may have been handed pointers to it
      return state_.GiveNew(step, active, guard, state_.unknowns.One(not_computed));
    default:
      return Exchange(state_, step, active, guard, Meeting(guard, open, active));
  }
}

// The lanes that hand values to each other: those are open that data of their own may have taken
// elsewhere.
LaneCondition Warp::Meeting(LaneCondition guard, const Openness& open, LaneMask lanes) const {
  for (const Openness& one : {open, left_}) {
    const bool is_by_data = std::ranges::any_of(state_.unknowns.List(one.origins), &Origin::IsData);
    if (one.taking < Taking::kLaneOpen || !is_by_data) continue;
    guard.open |= lanes;
    guard.origins = state_.unknowns.Join(guard.origins, one.origins);
  }
  return guard;
}

// All lanes get the same, and another one each time.
void Warp::GiveToWarp(const Step& step, LaneMask lanes, const LaneCondition& guard, Origin origin) {
  const std::uint64_t turn = state_.turns[step.instruction]++;
  const Origins origins = state_.unknowns.One(origin);
  for (std::uint32_t i = 0; i < step.results; ++i) {
    LaneValues result;
    const Unknowns::Key key{Unknowns::Of::kWarp, step.instruction, turn << 8U | i};
    result.Fill({0, state_.unknowns.Symbol(key, origins)});
    state_.Spend(WarpState::kUnknownCost);
    state_.Write(step.result[i], result, lanes, guard);
  }
}

bool Warp::IsOpenByShape(const Step& step) const {
  const LaunchValues& launch = state_.launch;
  return (launch.block_is_open && step.follows_block) || (launch.grid_is_open && step.follows_grid);
}

void Warp::Access(const Step& step, LaneMask lanes, const LaneCondition& guard, Openness open) {
  Request request;
  request.instruction = step.instruction;
  request.addresses = state_.Source(step, 0);
  for (std::uint64_t& bits : request.addresses.bits)
    bits += static_cast<std::uint64_t>(step.offset);
  request.addresses.is_known = AreKnown(request.addresses, lanes);
  const LaneMask elsewhere =
      step.space == ptx::Space::kGeneric ? LanesElsewhere(request.addresses, lanes) : 0;
  const bool is_load = step.code.op == ptx::Op::kLd;
  if (is_load || step.kind == StepKind::kAtomic) Load(state_, step, lanes, guard);
  const bool may_be_own = step.code.op == ptx::Op::kSt && step.space == ptx::Space::kGeneric;
  if (may_be_own) Store(state_, step, lanes, guard.open);
  const LaneCondition reading = ReadingLanes(step, lanes & ~elsewhere);
  request.active = reading.holds | reading.open;
  const Openness mine = Joined(Joined(open, guard, true), reading, true);
  request.bounds = mine.bounds;
  if (guard.open != 0) {
    request.bounds = state_.conditions.With(mine.bounds, state_.slots[step.guard], guard.open,
                                            !step.guard_negated);
  }
  request.guards = Guarded(mine.guards, step, guard, true);
  request.guards_of_left = left_.guards;
  request.bounds_of_left = left_.bounds;
  request.conditions = &state_.conditions;
  request.taking = std::max(mine.taking, left_.taking);
  request.taking_origins = state_.unknowns.Join(mine.origins, left_.origins);
  const LaneMask filled = lanes & ~elsewhere & ~request.active;
  const bool is_filled_alone = filled != 0 && request.active == 0;
  request.turn = state_.turns[step.instruction];
  if (!is_filled_alone) ++state_.turns[step.instruction];
  if (request.active != 0) sink_->Take(request);
  if (filled == 0) return;
  sink_->TakeFilled(
      {step.instruction, filled, is_filled_alone, request.taking, request.taking_origins});
}

// All lanes but those of an asynchronous copy that are filled with zeros.
LaneCondition Warp::ReadingLanes(const Step& step, LaneMask lanes) {
  const bool says = step.code.op == ptx::Op::kCpAsync && step.sources > 1;
  if (!says || step.source[1] == kNoSlot) return {lanes, 0, false, 0};
  LaneValues reads = state_.Source(step, 1);
  for (std::uint64_t& bits : reads.bits) bits = static_cast<std::uint32_t>(bits) != 0 ? 1 : 0;
  const bool is_negated = (step.negated & 2U) != 0;
  return state_.ConditionOf(reads, step.reads_unless != is_negated, lanes);
}

Warp::Openness Warp::Joined(Openness open, const LaneCondition& condition, bool holds) const {
  if (condition.open == 0) return open;
  open.taking = std::max(open.taking, holds ? condition.if_holds : condition.if_fails);
  open.origins = state_.unknowns.Join(open.origins, condition.origins);
  return open;
}

const Guard* Warp::Guarded(const Guard* outer, const Step& step, const LaneCondition& condition,
                           bool is_taken) {
  if (condition.open == 0) return outer;
  if (guards_.size() >= kMostGuards) return &kLost;
  return &guards_.emplace_back(
      Guard{outer, step.instruction, is_taken, condition.is_one, false, condition.origins});
}

std::uint32_t Warp::Branch(std::uint32_t block, const Step& step, std::uint32_t stop,
                           LaneMask& lanes, Openness open, int depth) {
  const ptx::ControlFlow& flow = state_.program.flow();
  const ptx::Block& here = flow.blocks()[block];
  const LaneCondition condition = state_.ConditionOf(step.guard, step.guard_negated, lanes);
  const std::uint32_t on = here.next.empty() ? ptx::kNone : here.next.back();
  if (condition.open != 0) {
    return OpenBranch(block, step, condition, lanes, open, depth);
  }
  LaneMask taken = condition.holds;
  LaneMask rest = lanes & ~taken;
  if (most_rounds_ != Rounds{} && IsCut(block, step, taken, rest)) {
    const bool target_leaves = step.target == ptx::kNone || !flow.IsIn(step.target, here.loop);
    ForgetRounds(block, target_leaves ? rest : taken);
    (target_leaves ? taken : rest) = lanes;
    (target_leaves ? rest : taken) = 0;
    has_open_rounds_ = true;
  }
  if (taken == 0) return on;
  if (rest == 0) return step.target;
  const std::uint32_t meet = here.post_dominator;
  if (meet == stop) {
    // One side is run here, and the caller goes on with the other: with the one that may come back
    // to this branch, so that the rounds of a loop do not nest, or else with the longer one.
    const auto ends = [&](std::uint32_t side) {
      return side == meet || side == ptx::kNone || flow.blocks()[side].next.empty();
    };
    const bool target_is_short = ends(step.target) || !flow.IsIn(step.target, here.loop);
    const bool on_is_short = ends(on);
    const bool keep_target = on_is_short || !target_is_short;
    RunFrom(keep_target ? on : step.target, stop, keep_target ? rest : taken, open, depth + 1);
    lanes = keep_target ? taken : rest;
    return keep_target ? step.target : on;
  }
  RunFrom(step.target, meet, taken, open, depth + 1);
  RunFrom(on, meet, rest, open, depth + 1);
  return meet;
}

// Whether the branch would go into one round too many of a loop that it may leave.
bool Warp::IsCut(std::uint32_t block, const Step& step, LaneMask taken, LaneMask rest) {
  const ptx::ControlFlow& flow = state_.program.flow();
  const ptx::Block& here = flow.blocks()[block];
  if (here.loop == ptx::kNone || here.next.size() != 2) return false;
  const bool is_innermost = flow.loops()[here.loop].is_innermost;
  const std::uint32_t most = is_innermost ? most_rounds_.innermost : most_rounds_.outer;
  if (most == 0) return false;
  const bool target_stays = step.target != ptx::kNone && flow.IsIn(step.target, here.loop);
  const bool on_stays = flow.IsIn(here.next.back(), here.loop);
  if (target_stays == on_stays) return false;
  const bool goes_on = (target_stays ? taken : rest) != 0;
  rounds_[block] = goes_on ? rounds_[block] + 1 : 0;
  if (rounds_[block] <= most) return false;
  rounds_[block] = 0;
  return true;
}

const Warp::Targets& Warp::TargetsOf(std::uint32_t block, std::uint32_t list) {
  const auto [found, is_new] = targets_.try_emplace(block);
  if (!is_new) return found->second;
  const std::span<const std::uint32_t> all(state_.program.function().targets);
  const auto behind = all.subspan(list);
  const auto size = std::ranges::find(behind, ptx::kNone) - behind.begin();
  found->second.list = behind.first(static_cast<std::size_t>(size));
  std::set<std::uint32_t> blocks;
  for (const std::uint32_t target : found->second.list) {
    const bool is_there = target < state_.program.function().instructions.size();
    if (is_there) blocks.insert(state_.program.flow().BlockOf(target));
  }
  found->second.blocks.assign(blocks.begin(), blocks.end());
  return found->second;
}

std::uint32_t Warp::Switch(std::uint32_t block, const Step& step, LaneMask lanes, Openness open,
                           int depth) {
  const ptx::Function& function = state_.program.function();
  const auto operands = function.OperandsOf(function.instructions[step.instruction]);
  const LaneValues index = state_.Source(step, 0);  // a copy: the ways write registers
  const std::uint32_t meet = state_.program.flow().blocks()[block].post_dominator;
  const bool is_list = operands.size() > 1 && operands[1].kind == ptx::Operand::Kind::kLabel;
  if (!is_list) {
    end_ = WarpEnd::kUnknownTarget;
    return ptx::kNone;
  }
  const Targets& targets = TargetsOf(block, operands[1].id);
  if (!index.is_known) {
    OpenSwitch(block, step, targets.blocks, lanes, open, depth);
    return meet;
  }
  while (lanes != 0 && end_ == WarpEnd::kDone) {
    const std::uint64_t which = index.bits[static_cast<std::uint32_t>(__builtin_ctz(lanes))];
    LaneMask same = 0;
    EachLane(lanes, [&](std::uint32_t lane) {
      if (index.bits[lane] == which) same |= 1U << lane;
    });
    lanes &= ~same;
    // Another number is undefined; a label behind the last instruction ends the function.
    const std::uint32_t target = which < targets.list.size() ? targets.list[which] : ptx::kNone;
    if (target < function.instructions.size()) {
      RunFrom(state_.program.flow().BlockOf(target), meet, same, open, depth + 1);
    } else {
      exited_ |= same;
    }
  }
  return meet;
}

void Warp::End(const Step& step, LaneMask& lanes) {
  const LaneCondition condition = state_.ConditionOf(step.guard, step.guard_negated, lanes);
  exited_ |= condition.holds;
  lanes &= ~condition.holds;
  if (condition.open == 0) return;
  left_ = Joined(left_, condition, false);
  left_.bounds = state_.conditions.With(left_.bounds, state_.slots[step.guard], condition.open,
                                        step.guard_negated);
  left_.guards = Guarded(left_.guards, step, condition, false);
}

}  // namespace coalcheck::address

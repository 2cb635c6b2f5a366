// SPDX-License-Identifier: Apache-2.0
//
// Control flow of a warp.
#include "libcoalcheck/address/warp.h"

#include <algorithm>
#include <array>
#include <set>

namespace coalcheck::address {
namespace {

constexpr int kDeepest = 128;

}  // namespace

Warp::Warp(const Program& program, const LaunchValues& launch, Unknowns& unknowns,
           std::uint64_t& steps)
    : program_(program),
      launch_(launch),
      unknowns_(unknowns),
      conditions_(unknowns),
      linear_(unknowns, conditions_),
      steps_(steps),
      slots_(program.slots()),
      open_rounds_(program.flow().blocks().size()),
      turns_(program.function().instructions.size()),
      rounds_(program.flow().blocks().size()),
      written_behind_(program.flow().blocks().size()) {
  for (const Program::Constant& constant : program.constants()) {
    slots_[constant.slot].Fill({constant.bits, kNoForm});
  }
  nothing_.Fill({});
}

WarpEnd Warp::Run(Extent block, std::uint32_t warp, RequestSink& sink) {
  sink_ = &sink;
  Begin(block, warp);
  const std::uint64_t threads = launch_.block.count();
  const std::uint64_t first = std::uint64_t{warp} * kWarpSize;
  if (first >= threads) return WarpEnd::kDone;
  const std::uint64_t lanes = std::min<std::uint64_t>(threads - first, kWarpSize);
  existing_ = static_cast<LaneMask>((std::uint64_t{1} << lanes) - 1);
  RunFrom(0, ptx::kNone, existing_, {}, 0);
  return end_;
}

void Warp::RunFrom(std::uint32_t block, std::uint32_t stop, LaneMask lanes, Openness open,
                   int depth) {
  if (depth > kDeepest) end_ = WarpEnd::kTooDeep;
  lanes &= ~exited_;
  while (block != stop && block != ptx::kNone && lanes != 0 && end_ == WarpEnd::kDone) {
    std::uint32_t next = program_.NextOf(block);
    for (const Step& step : program_.StepsOf(block)) {
      if (steps_ == 0) end_ = WarpEnd::kOutOfSteps;
      if (unknowns_.IsFull()) end_ = WarpEnd::kTooManyUnknowns;
      if (end_ != WarpEnd::kDone) return;
      --steps_;
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

Warp::Condition Warp::ConditionOf(Slot slot, bool negated, LaneMask lanes) {
  if (slot == kNoSlot) return {lanes, 0, false, 0};
  Condition condition;
  const LaneValues& values = slots_[slot];
  if (values.is_known && values.is_uniform) {
    condition.holds = ((values.bits[0] & 1U) != 0) != negated ? lanes : 0;
    return condition;
  }
  if (values.is_known) {
    EachLane(lanes, [&](std::uint32_t lane) {
      if (((values.bits[lane] & 1U) != 0) != negated) condition.holds |= 1U << lane;
    });
    return condition;
  }
  condition.is_uniform = true;
  std::optional<Value> first;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value value = values.At(lane);
    if (!first) first = value;
    condition.is_uniform = condition.is_uniform && value == *first;
    if (value.form != kNoForm) {
      condition.open |= 1U << lane;
      condition.origins = unknowns_.Join(condition.origins, unknowns_.OriginsOf(value.form));
    } else if (((value.bits & 1U) != 0) != negated) {
      condition.holds |= 1U << lane;
    }
  });
  // Arguments that were not recorded are taken to let whole warps through.
  const auto origins = unknowns_.List(condition.origins);
  const bool of_launch = !origins.empty() && std::ranges::all_of(origins, [](const Origin& origin) {
    return origin.kind == Origin::Kind::kParameter;
  });
  condition.is_uniform = (condition.is_uniform || of_launch) && condition.open != 0;
  return condition;
}

Warp::Openness Warp::Joined(Openness open, const Condition& condition) const {
  if (condition.open == 0) return open;
  open.taking = std::max(open.taking, condition.is_uniform ? Taking::kWarpOpen : Taking::kLaneOpen);
  open.origins = unknowns_.Join(open.origins, condition.origins);
  return open;
}

std::uint32_t Warp::Branch(std::uint32_t block, const Step& step, std::uint32_t stop,
                           LaneMask& lanes, Openness open, int depth) {
  const ptx::ControlFlow& flow = program_.flow();
  const ptx::Block& here = flow.blocks()[block];
  const Condition condition = ConditionOf(step.guard, step.guard_negated, lanes);
  const std::uint32_t on = here.next.empty() ? ptx::kNone : here.next.back();
  if (condition.open != 0) {
    return OpenBranch(block, step, condition, lanes, open, depth);
  }
  LaneMask taken = condition.holds;
  LaneMask rest = lanes & ~taken;
  if (most_rounds_ != Rounds{} && IsCut(block, step, taken, rest)) {
    const bool target_leaves = step.target == ptx::kNone || !flow.IsIn(step.target, here.loop);
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
  const ptx::ControlFlow& flow = program_.flow();
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

std::uint32_t Warp::Switch(std::uint32_t block, const Step& step, LaneMask lanes, Openness open,
                           int depth) {
  const ptx::Function& function = program_.function();
  const auto operands = function.OperandsOf(function.instructions[step.instruction]);
  const LaneValues index = Source(step, 0);  // a copy: the ways write registers
  const std::uint32_t meet = program_.flow().blocks()[block].post_dominator;
  const bool is_list = operands.size() > 1 && operands[1].kind == ptx::Operand::Kind::kLabel;
  if (!is_list) {
    end_ = WarpEnd::kUnknownTarget;
    return ptx::kNone;
  }
  const auto list = function.targets.begin() + operands[1].id;
  const auto list_end = std::find(list, function.targets.end(), ptx::kNone);
  if (!index.is_known) {
    std::set<std::uint32_t> blocks;
    for (auto at = list; at != list_end; ++at) {
      if (*at < function.instructions.size()) blocks.insert(program_.flow().BlockOf(*at));
    }
    OpenSwitch(block, step, {blocks.begin(), blocks.end()}, lanes, open, depth);
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
    const bool is_listed = which < static_cast<std::uint64_t>(list_end - list);
    const std::uint32_t target = is_listed ? list[static_cast<std::ptrdiff_t>(which)] : ptx::kNone;
    if (target < function.instructions.size()) {
      RunFrom(program_.flow().BlockOf(target), meet, same, open, depth + 1);
    } else {
      exited_ |= same;
    }
  }
  return meet;
}

void Warp::End(const Step& step, LaneMask& lanes) {
  const Condition condition = ConditionOf(step.guard, step.guard_negated, lanes);
  exited_ |= condition.holds;
  lanes &= ~condition.holds;
  if (condition.open == 0) return;
  left_ = Joined(left_, condition);
  left_.bounds =
      conditions_.With(left_.bounds, slots_[step.guard], condition.open, step.guard_negated);
}

}  // namespace coalcheck::address

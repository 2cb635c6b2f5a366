// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes registers of a warp, some of whose lanes may be open.
#include "libcoalcheck/address/warp_state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace coalcheck::address {
namespace {

// `a` or `b`, as an unknown condition decides.
Value OneOf(WarpState& warp, std::uint64_t which, Value a, Value b, Value condition) {
  if (a == b) return a;
  warp.Spend(1);
  const Origins of_both =
      warp.unknowns.Join(warp.unknowns.OriginsOf(a.form), warp.unknowns.OriginsOf(b.form));
  const Origins origins = warp.unknowns.Join(of_both, warp.unknowns.OriginsOf(condition.form));
  return {0, warp.unknowns.Symbol({Unknowns::Of::kOneOf, 0, which, {a, b, condition}}, origins)};
}

// `b` less `a`.
Value Difference(Unknowns& unknowns, Value a, Value b) {
  return {b.bits - a.bits, unknowns.Add(b.form, unknowns.Scale(a.form, ~std::uint64_t{0}))};
}

// What is added to `a` to give `b`, if it is the same in all lanes.
std::optional<Value> CommonDifference(WarpState& warp, const LaneValues& a, const LaneValues& b,
                                      LaneMask lanes) {
  std::optional<Value> common;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
    const Form form = a.FormAt(lane);
    const bool is_of_lane = warp.unknowns.NamesLane(form);
    if (is_of_lane || warp.unknowns.NamesLane(b.FormAt(lane))) return std::nullopt;
    const Value difference = Difference(warp.unknowns, a.At(lane), b.At(lane));
    if (common && !(*common == difference)) return std::nullopt;
    common = difference;
  }
  return common;
}

// Nothing or `difference`, as an unknown condition decides.
Value NothingOr(WarpState& warp, std::uint64_t which, Value difference, Value condition) {
  Unknowns& unknowns = warp.unknowns;
  const Origins origins =
      unknowns.Join(unknowns.OriginsOf(difference.form), unknowns.OriginsOf(condition.form));
  const Unknowns::Key key{Unknowns::Of::kOneOf, 0, which, {Value{}, difference, condition}};
  const Form one = unknowns.Symbol(key, origins);
  const unsigned zeros = std::min(static_cast<unsigned>(std::countr_zero(difference.bits)),
                                  unknowns.TrailingZeros(difference.form));
  return {0, unknowns.Scale(one, std::uint64_t{1} << std::min(zeros, 63U))};
}

// The lanes in which a condition that is known in all of them holds.
LaneCondition OfKnown(const LaneValues& values, bool negated, LaneMask lanes) {
  LaneCondition condition;
  const auto holds = [&](std::uint32_t lane) { return ((values.bits[lane] & 1U) != 0) != negated; };
  if (values.is_uniform) {
    condition.holds = holds(0) ? lanes : 0;
    return condition;
  }
  EachLane(lanes, [&](std::uint32_t lane) {
    if (holds(lane)) condition.holds |= 1U << lane;
  });
  return condition;
}

// Who takes part where a condition is open in some lanes: each by itself, or the warp as a whole.
void SetTaking(WarpState& warp, const LaneValues& values, bool negated, LaneCondition& condition) {
  if (condition.is_uniform) {
    condition.if_holds = condition.if_fails = Taking::kWarpOpen;
    return;
  }
  // Bounds that were not recorded are taken to let whole warps through.
  const auto origins = warp.unknowns.List(condition.origins);
  const bool of_launch = !origins.empty() && std::ranges::all_of(origins, [](const Origin& origin) {
    return origin.kind == Origin::Kind::kParameter;
  });
  if (!of_launch) return;
  const auto taking = [&](bool holds) {
    return warp.conditions.LetsNeighboursThrough(values, condition.open, holds)
               ? Taking::kWarpOpen
               : Taking::kLanesApart;
  };
  condition.if_holds = taking(!negated);
  condition.if_fails = taking(negated);
  condition.is_uniform = condition.if_holds == Taking::kWarpOpen;
}

}  // namespace

WarpState::WarpState(const Program& of_program, const LaunchValues& of_launch,
                     Unknowns& of_unknowns, std::uint64_t& steps_left)
    : program(of_program),
      launch(of_launch),
      unknowns(of_unknowns),
      steps(steps_left),
      conditions(unknowns, steps),
      linear(unknowns, conditions),
      slots(program.slots()),
      turns(program.function().instructions.size()) {
  for (const Program::Constant& constant : program.constants()) {
    slots[constant.slot].Fill({constant.bits, kNoForm});
  }
  nothing.Fill({});
}

const LaneValues& WarpState::Source(const Step& step, std::uint32_t index) const {
  const bool is_there = index < step.sources && step.source[index] != kNoSlot;
  return is_there ? slots[step.source[index]] : nothing;
}

LaneCondition WarpState::ConditionOf(Slot slot, bool negated, LaneMask lanes) {
  return slot == kNoSlot ? LaneCondition{lanes, 0, false, 0}
                         : ConditionOf(slots[slot], negated, lanes);
}

LaneCondition WarpState::ConditionOf(const LaneValues& values, bool negated, LaneMask lanes) {
  if (values.is_known) return OfKnown(values, negated, lanes);
  LaneCondition condition;
  condition.is_uniform = true;
  std::optional<Value> first;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value value = values.At(lane);
    if (!first) first = value;
    condition.is_uniform = condition.is_uniform && value == *first;
    condition.is_one = condition.is_uniform;
    if (value.form != kNoForm) {
      condition.open |= 1U << lane;
      condition.origins = unknowns.Join(condition.origins, unknowns.OriginsOf(value.form));
    } else if (((value.bits & 1U) != 0) != negated) {
      condition.holds |= 1U << lane;
    }
  });
  if (condition.open == 0) {
    condition.is_uniform = false;
    return condition;
  }
  SetTaking(*this, values, negated, condition);
  return condition;
}

Origins WarpState::OriginsOf(const Step& step, LaneMask lanes) const {
  Origins origins = 0;
  for (std::uint32_t i = 0; i < step.sources; ++i) {
    EachLane(lanes, [&](std::uint32_t lane) {
      origins = unknowns.Join(origins, unknowns.OriginsOf(Source(step, i).FormAt(lane)));
    });
  }
  if (origins != 0) return origins;
  // Texels and the like are data.
  const bool brings_data = step.code.op == ptx::Op::kOfLane;
  const auto kind = brings_data ? Origin::Kind::kLoaded : Origin::Kind::kNotComputed;
  return unknowns.One({kind, step.instruction});
}

// A lane whose guard is open may keep what it had.
void WarpState::Write(Slot slot, const LaneValues& values, LaneMask lanes,
                      const LaneCondition& guard) {
  if (slot == kNoSlot) return;
  LaneValues& to = slots[slot];
  if (lanes == existing && guard.open == 0) {
    to = values;
    return;
  }
  to.Take(lanes & ~guard.open, values);
  if ((lanes & guard.open) == 0) return;
  // Where each lane has a guard of its own, each may have kept another value.
  const Form new_one = unknowns.LaneSymbols(guard.origins);
  EachLane(lanes & guard.open, [&](std::uint32_t lane) {
    const Value a = values.At(lane);
    const Value b = to.At(lane);
    if (a == b) return;
    const Origins of_both = unknowns.Join(unknowns.OriginsOf(a.form), unknowns.OriginsOf(b.form));
    const Origins origins = unknowns.Join(of_both, guard.origins);
    Spend(kUnknownCost / 2);
    const Value which{0, new_one + (guard.is_uniform ? 0 : lane)};
    to.Set(lane, {0, unknowns.Symbol({Unknowns::Of::kKept, slot, 0, {a, b, which}}, origins)});
  });
}

void WarpState::GiveNew(const Step& step, LaneMask lanes, const LaneCondition& guard,
                        Origins origins) {
  for (std::uint32_t i = 0; i < step.results; ++i) {
    Spend(kUnknownCost);
    LaneValues result;
    const Value first{0, unknowns.LaneSymbols(origins)};
    if (step.code.op == ptx::Op::kBlockVote) {
      result.Fill(first);
    } else {
      result.FillWithLaneSymbols(first);
    }
    Write(step.result[i], result, lanes, guard);
  }
}

bool WarpState::MergeCommonDifference(std::uint64_t which, LaneValues& here,
                                      const LaneValues& other, const LaneValues& condition,
                                      LaneMask lanes) {
  const auto decides = CommonOf(condition, lanes);
  if (!decides || decides->is_of_lanes) return false;
  const auto difference = CommonDifference(*this, here, other, lanes);
  if (!difference) return false;
  if (*difference == Value{}) return true;
  Spend(kUnknownCost);
  const Value added = NothingOr(*this, which, *difference, decides->value);
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value one = here.At(lane);
    here.Set(lane, {one.bits, unknowns.Add(one.form, added.form)});
  });
  return true;
}

void WarpState::Merge(std::uint64_t which, Slot slot, const LaneValues& other,
                      const LaneValues& condition, LaneMask lanes) {
  LaneValues& here = slots[slot];
  const std::array of_all{CommonOf(other, lanes), CommonOf(here, lanes),
                          CommonOf(condition, lanes)};
  if (!std::ranges::all_of(of_all, [](const auto& one) { return one.has_value(); })) {
    if (MergeCommonDifference(which, here, other, condition, lanes)) return;
    EachLane(lanes, [&](std::uint32_t lane) {
      here.Set(lane, OneOf(*this, which, other.At(lane), here.At(lane), condition.At(lane)));
    });
    return;
  }
  const std::array<Common, 3> common{*of_all[0], *of_all[1], *of_all[2]};
  if (common[0].value == common[1].value && common[0].is_of_lanes == common[1].is_of_lanes) return;
  Spend(1);
  Origins origins = 0;
  for (const Common& one : common) {
    origins = unknowns.Join(origins, unknowns.OriginsOf(one.value.form));
  }
  const Unknowns::Key key{
      Unknowns::Of::kOneOf, 0, which, {common[0].value, common[1].value, common[2].value}};
  LaneValues merged;
  if (LaneBitsOf(common) == 0) {
    merged.Fill({0, unknowns.Symbol(key, origins)});
  } else {
    merged.FillWithLaneSymbols({0, unknowns.LaneSymbols(key, LaneBitsOf(common), origins)});
  }
  Write(slot, merged, lanes, {lanes, 0, false, 0});
}

}  // namespace coalcheck::address

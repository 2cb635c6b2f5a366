// SPDX-License-Identifier: Apache-2.0
//
// Steps in which lanes of a warp hand values to each other (PTX ISA, chapter 9.7.9).
#include <algorithm>
#include <bit>

#include "libcoalcheck/address/warp_steps.h"

namespace coalcheck::address {
namespace {

// The lane that a lane reads, of those of its segment; empty beyond these. `by` and `clamp`: the
// operands b and c.
std::optional<std::uint32_t> LaneRead(ptx::Mode mode, std::uint32_t lane, std::uint64_t by,
                                      std::uint64_t clamp) {
  const auto distance = static_cast<std::uint32_t>(by & 31U);
  const auto limit = static_cast<std::uint32_t>(clamp & 31U);
  const auto segment = static_cast<std::uint32_t>(clamp >> 8U & 31U);
  const std::int64_t end = (lane & segment) | (limit & ~segment);
  std::int64_t source = 0;
  switch (mode) {
    case ptx::Mode::kUp:
      source = std::int64_t{lane} - distance;
      break;
    case ptx::Mode::kDown:
      source = std::int64_t{lane} + distance;
      break;
    case ptx::Mode::kBfly:
      source = lane ^ distance;
      break;
    default:
      source = (lane & segment) | (distance & ~segment);
      break;
  }
  const bool is_inside = mode == ptx::Mode::kUp ? source >= end : source <= end;
  if (!is_inside) return std::nullopt;
  return static_cast<std::uint32_t>(source) % kWarpSize;
}

// shfl.sync.mode d|p, a, b, c, membermask.
void Shuffle(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard) {
  const LaneValues from = warp.Source(step, 0);
  LaneValues result;
  LaneValues is_inside;
  // Where it is not known whose value a lane gets.
  const Origins origins = warp.OriginsOf(step, lanes);
  const Form any = warp.unknowns.LaneSymbols(origins);
  const Form is_any_inside = warp.unknowns.LaneSymbols(origins);
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value by = warp.Source(step, 1).At(lane);
    const Value clamp = warp.Source(step, 2).At(lane);
    if (by.form != kNoForm || clamp.form != kNoForm) {
      result.Set(lane, {0, any + lane});
      is_inside.Set(lane, {0, is_any_inside + lane});
      return;
    }
    const auto read = LaneRead(step.code.mode, lane, by.bits, clamp.bits);
    is_inside.Set(lane, {read ? 1U : 0U, kNoForm});
    const std::uint32_t at = read.value_or(lane);
    const bool takes_part = (lanes >> at & 1U) != 0;  // else the result is undefined
    result.Set(lane, takes_part ? from.At(at) : Value{0, any + lane});
  });
  // Only where several lanes get the same unknown value does it matter whose it was.
  const std::optional<Common> common = CommonOf(from, lanes);
  if (step.code.mode != ptx::Mode::kIdx && common && common->is_of_lanes) {
    result.FillWithLaneSymbols({common->value.bits, any});
  }
  warp.Write(step.result[0], result, lanes, guard);
  if (step.results > 1) warp.Write(step.result[1], is_inside, lanes, guard);
}

// What the lanes that meet all get, and another one each time.
Value OfMeeting(WarpState& warp, const Step& step, const LaneCondition& meeting) {
  const std::uint64_t turn = warp.turns[step.instruction]++;
  return {0,
          warp.unknowns.Symbol({Unknowns::Of::kMeeting, step.instruction, turn}, meeting.origins)};
}

// vote.sync.mode d, p, membermask: of the lanes that execute it.
void Vote(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard,
          const LaneCondition& meeting) {
  const bool negated = (step.negated & 1U) != 0;
  const LaneCondition votes =
      warp.ConditionOf(step.sources == 0 ? kNoSlot : step.source[0], negated, lanes);
  LaneValues result;
  if (votes.open != 0 || meeting.open != 0) {
    const Origins origins = warp.unknowns.Join(votes.origins, meeting.origins);
    const std::uint64_t which = std::uint64_t{warp.turns[step.instruction]++} << 8U;
    const Unknowns::Key key{Unknowns::Of::kVote, step.instruction, which};
    result.Fill({0, warp.unknowns.Symbol(key, origins)});
    return warp.Write(step.result[0], result, lanes, guard);
  }
  std::uint64_t bits = 0;
  switch (step.code.mode) {
    case ptx::Mode::kAll:
      bits = votes.holds == lanes ? 1 : 0;
      break;
    case ptx::Mode::kAny:
      bits = votes.holds != 0 ? 1 : 0;
      break;
    case ptx::Mode::kUni:
      bits = votes.holds == lanes || votes.holds == 0 ? 1 : 0;
      break;
    default:
      bits = votes.holds;
      break;
  }
  result.Fill({bits, kNoForm});
  warp.Write(step.result[0], result, lanes, guard);
}

// redux.sync.op d, a, membermask.
void Reduce(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard,
            const LaneCondition& meeting) {
  const LaneValues& values = warp.Source(step, 0);
  const ptx::Type type = step.code.type;
  Origins origins = meeting.origins;
  bool is_known = meeting.open == 0 && !type.IsFloat();
  std::optional<std::uint64_t> sum;
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value value = values.At(lane);
    origins = warp.unknowns.Join(origins, warp.unknowns.OriginsOf(value.form));
    is_known = is_known && value.form == kNoForm;
    const std::uint64_t bits = Truncate(value.bits, type.bytes);
    if (!sum) {
      sum = bits;
      return;
    }
    const bool is_less =
        type.IsSigned() ? SignExtend(bits, type.bytes) < SignExtend(*sum, type.bytes) : bits < *sum;
    switch (step.code.mode) {
      case ptx::Mode::kMin:
        sum = is_less ? bits : *sum;
        break;
      case ptx::Mode::kMax:
        sum = is_less ? *sum : bits;
        break;
      case ptx::Mode::kAnd:
        sum = *sum & bits;
        break;
      case ptx::Mode::kOr:
        sum = *sum | bits;
        break;
      case ptx::Mode::kXor:
        sum = *sum ^ bits;
        break;
      default:
        sum = Truncate(*sum + bits, type.bytes);
        break;
    }
  });
  LaneValues result;
  if (is_known) {
    result.Fill({sum.value_or(0), kNoForm});
  } else {
    if (origins == 0) origins = warp.unknowns.One({Origin::Kind::kNotComputed, step.instruction});
    const std::uint32_t turn = warp.turns[step.instruction]++;
    const Unknowns::Key key{Unknowns::Of::kReduction, step.instruction, turn};
    result.Fill({0, warp.unknowns.Symbol(key, origins)});
  }
  warp.Write(step.result[0], result, lanes, guard);
}

// match.any.sync d, a, membermask; match.all.sync d|p, a, membermask.
void MatchLanes(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard,
                const LaneCondition& meeting) {
  const LaneValues& values = warp.Source(step, 0);
  LaneValues result;
  LaneValues all_equal;
  const Origins origins = warp.unknowns.Join(warp.OriginsOf(step, lanes), meeting.origins);
  const Form any = warp.unknowns.LaneSymbols(origins);
  const Form are_all = warp.unknowns.LaneSymbols(origins);
  // Registers may hold more than the type has.
  const auto compared = [&](std::uint32_t lane) {
    const Value value = values.At(lane);
    return Value{Truncate(value.bits, step.code.type.bytes), value.form};
  };
  EachLane(lanes, [&](std::uint32_t lane) {
    const Value own = compared(lane);
    LaneMask equal = 0;
    bool is_known = meeting.open == 0;
    EachLane(lanes, [&](std::uint32_t other) {
      const Value value = compared(other);
      if (value == own) equal |= 1U << other;
      is_known = is_known && value.form == own.form;
    });
    if (!is_known) {
      result.Set(lane, {0, any + lane});
      all_equal.Set(lane, {0, are_all + lane});
      return;
    }
    const bool is_all = step.code.mode == ptx::Mode::kAll;
    const bool matches = equal == lanes;
    result.Set(lane, {is_all ? (matches ? lanes : 0) : equal, kNoForm});
    all_equal.Set(lane, {matches ? 1U : 0U, kNoForm});
  });
  warp.Write(step.result[0], result, lanes, guard);
  if (step.results > 1) warp.Write(step.result[1], all_equal, lanes, guard);
}

}  // namespace

void Exchange(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard,
              const LaneCondition& meeting) {
  switch (step.kind) {
    case StepKind::kShuffle:
      return Shuffle(warp, step, lanes, guard);
    case StepKind::kVote:
      return Vote(warp, step, lanes, guard, meeting);
    case StepKind::kReduce:
      return Reduce(warp, step, lanes, guard, meeting);
    case StepKind::kMatch:
      return MatchLanes(warp, step, lanes, guard, meeting);
    case StepKind::kActiveMask: {
      LaneValues mask;
      mask.Fill(meeting.open == 0 ? Value{lanes, kNoForm} : OfMeeting(warp, step, meeting));
      return warp.Write(step.result[0], mask, lanes, guard);
    }
    case StepKind::kElect: {
      // The lowest lane; `elect.sync d|p`.
      const auto leader = static_cast<std::uint32_t>(std::countr_zero(lanes));
      LaneValues number;
      LaneValues is_leader;
      if (meeting.open == 0) {
        number.Fill({leader, kNoForm});
        is_leader.bits[leader] = 1;
      } else {
        number.Fill(OfMeeting(warp, step, meeting));
        is_leader.FillWithLaneSymbols({0, warp.unknowns.LaneSymbols(meeting.origins)});
      }
      warp.Write(step.result[0], number, lanes, guard);
      if (step.results > 1) warp.Write(step.result[1], is_leader, lanes, guard);
      return;
    }
    default:
      return;
  }
}

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// Steps of a warp that compute: all lanes at once where they are alike, else one by one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "libcoalcheck/address/warp_steps.h"

namespace coalcheck::address {
namespace {

using StepSources = std::array<const LaneValues*, 4>;

// Computes all lanes at once, where the sources are known in all of them. The third source of a
// comparison may be a negated predicate.
void ComputeNumbers(const Step& step, const StepSources& sources, LaneBits& result) {
  std::array<const LaneBits*, 4> bits{};
  std::ranges::transform(sources, bits.begin(), [](const LaneValues* one) { return &one->bits; });
  LaneBits flipped;
  if ((step.negated >> 2U & 1U) != 0) {
    std::ranges::transform(*bits[2], flipped.begin(), [](std::uint64_t one) { return one ^ 1U; });
    bits[2] = &flipped;
  }
  step.compute.of_lanes(step.code, bits, result);
}

// Whether one of the launch's pointers is part of the sum, as it is.
bool HoldsPointer(const WarpState& warp, Form form) {
  const auto is_pointer = [&](const Unknowns::Multiple& one) {
    const auto origins = warp.unknowns.List(warp.unknowns.OriginsOf(one.symbol));
    return one.factor == std::int64_t{kPointerAlignment} && origins.size() == 1 &&
           origins[0].kind == Origin::Kind::kParameter &&
           std::ranges::find(warp.launch.pointers, origins[0].place) != warp.launch.pointers.end();
  };
  return std::ranges::any_of(warp.unknowns.MultiplesOf(form), is_pointer);
}

// `n != 0 ? rows + i : nullptr`: nobody asks for memory at 0, so it is the other one.
std::optional<Value> NotNull(const WarpState& warp, const Step& step,
                             const std::array<Value, 4>& values) {
  if (step.code.op != ptx::Op::kSelp || step.code.type.bytes != sizeof(std::uint64_t)) {
    return std::nullopt;
  }
  const auto& [a, b, c, d] = values;
  if (c.form == kNoForm) return std::nullopt;
  if (a == Value{} && HoldsPointer(warp, b.form)) return b;
  if (b == Value{} && HoldsPointer(warp, a.form)) return a;
  return std::nullopt;
}

// `alike`: the result of a lane with the same symbols; null where there is none.
Value ComputeOne(WarpState& warp, const Step& step, const std::array<Value, 4>& values,
                 const Value* alike = nullptr) {
  if (const std::optional<Value> pointer = NotNull(warp, step, values)) return *pointer;
  bool known = step.compute.exists();
  for (const Value& value : values) known = known && value.form == kNoForm;
  if (!known) {
    const Value value = warp.linear.Compute(step.code, step.compute, values, step.instruction);
    const bool is_alike = alike != nullptr && alike->form == value.form;
    warp.Spend(is_alike ? WarpState::kAlikeCost : WarpState::kUnknownCost);
    return value;
  }
  const auto& [a, b, c, d] = values;
  const std::uint64_t bits = step.compute({&step.code, a.bits, b.bits, c.bits, d.bits});
  if (!IsUnspecified(step.code, step.compute, bits)) return {bits, kNoForm};
  warp.Spend(WarpState::kUnknownCost);
  return warp.linear.Opaque(step.code, values, step.instruction);
}

// The result of all lanes at once, where each lane has symbols of its own: the value of lane 0.
// Empty where the sources do not allow that.
std::optional<Value> LaneSymbols(WarpState& warp, const Step& step, const StepSources& sources,
                                 LaneMask lanes) {
  std::array<Common, 4> common;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const std::optional<Common> one = CommonOf(*sources[i], lanes);
    if (!one) return std::nullopt;
    common[i] = *one;
    common[i].value.bits ^= step.negated >> i & 1U;
  }
  if (LaneBitsOf(common) == 0) return std::nullopt;
  warp.Spend(WarpState::kUnknownCost);
  return warp.linear.LaneSymbols(step.code, step.compute, common, step.instruction);
}

// The first result. `all_known`, `all_uniform`: whether all sources are.
LaneValues ResultOf(WarpState& warp, const Step& step, const StepSources& sources, LaneMask lanes,
                    bool all_known, bool all_uniform) {
  LaneValues result;
  const auto in_lane = [&](std::uint32_t lane) {
    std::array<Value, 4> values;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      values[i] = sources[i]->At(lane);
      values[i].bits ^= step.negated >> i & 1U;
    }
    return values;
  };
  if (all_uniform) {
    result.Fill(ComputeOne(warp, step, in_lane(0)));
  } else if (all_known) {
    ComputeNumbers(step, sources, result.bits);
    EachLane(step.compute.may_give_nan ? lanes : 0, [&](std::uint32_t lane) {
      const bool is_open = IsUnspecified(step.code, step.compute, result.bits[lane]);
      if (is_open) result.Set(lane, ComputeOne(warp, step, in_lane(lane)));
    });
  } else if (const auto first = LaneSymbols(warp, step, sources, lanes)) {
    result.FillWithLaneSymbols(*first);
  } else {
    // Neighbours often have the same, or the same symbols.
    std::optional<std::array<Value, 4>> before;
    Value same;
    EachLane(lanes, [&](std::uint32_t lane) {
      const std::array<Value, 4> values = in_lane(lane);
      const bool is_alike =
          before && std::ranges::equal(*before, values, {}, &Value::form, &Value::form);
      if (before != values) same = ComputeOne(warp, step, values, is_alike ? &same : nullptr);
      before = values;
      result.Set(lane, same);
    });
  }
  return result;
}

// The results behind the first one: of `setp d|q` that of the opposite comparison, else elements.
void WriteFurther(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard,
                  const LaneValues& result) {
  for (std::uint32_t i = 1; i < step.results; ++i) {
    if (step.result[i] == kNoSlot) continue;
    LaneValues further;
    if (step.code.op == ptx::Op::kSetp && step.code.combine != ptx::Combine::kNone) {
      // The first result does not tell it.
      const Origin origin{Origin::Kind::kNotComputed, step.instruction};
      const Origins origins =
          warp.unknowns.Join(warp.OriginsOf(step, lanes), warp.unknowns.One(origin));
      further.FillWithLaneSymbols({0, warp.unknowns.LaneSymbols(origins)});
      warp.Write(step.result[i], further, lanes, guard);
      continue;
    }
    EachLane(lanes, [&](std::uint32_t lane) {
      const Value value = result.At(lane);
      const bool is_plain = step.code.op == ptx::Op::kSetp && value.form == kNoForm;
      warp.Spend(is_plain ? 0 : WarpState::kUnknownCost);
      further.Set(
          lane, is_plain ? Value{value.bits ^ 1U, kNoForm}
                         : warp.linear.Opaque(step.code, {value, {i, kNoForm}}, step.instruction));
    });
    warp.Write(step.result[i], further, lanes, guard);
  }
}

}  // namespace

void Compute(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard) {
  // Results that depend on more than operands.
  const bool is_unshared = step.code.op == ptx::Op::kUnread || step.code.op == ptx::Op::kOfLane ||
                           step.code.op == ptx::Op::kBlockVote || step.code.carries ||
                           step.sources > StepSources().size();
  if (is_unshared) return warp.GiveNew(step, lanes, guard, warp.OriginsOf(step, lanes));
  StepSources sources{};
  bool all_known = step.compute.exists();
  bool all_uniform = true;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    sources[i] = &warp.Source(step, i);
    all_known = all_known && sources[i]->is_known;
    all_uniform = all_uniform && sources[i]->is_uniform;
  }
  const bool is_alone = step.results == 1 && step.result[0] != kNoSlot;
  const bool is_sure = !step.compute.may_give_nan;
  if (all_known && is_sure && !all_uniform && is_alone && lanes == warp.existing &&
      guard.open == 0) {
    // Most steps are so: nothing is copied.
    LaneValues& to = warp.slots[step.result[0]];
    ComputeNumbers(step, sources, to.bits);
    to.is_known = true;
    to.is_uniform = false;
    return;
  }
  const LaneValues result = ResultOf(warp, step, sources, lanes, all_known, all_uniform);
  warp.Write(step.result[0], result, lanes, guard);
  WriteFurther(warp, step, lanes, guard, result);
}

// mov.b64 %rd, {%r1, %r2}: elements of equal size, the lowest first.
void Pack(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard) {
  LaneValues result;
  const std::optional<Common> low = CommonOf(warp.Source(step, 0), lanes);
  const std::optional<Common> high = CommonOf(warp.Source(step, 1), lanes);
  if (step.sources == 2 && low && high && low->is_of_lanes && high->is_of_lanes) {
    // Two unknown halves are no index.
    warp.Spend(WarpState::kUnknownCost);
    result.FillWithLaneSymbols(
        {0, warp.linear.OpaqueLanes(step.code, {*low, *high}, step.instruction)});
    return warp.Write(step.result[0], result, lanes, guard);
  }
  const unsigned bytes = step.sources == 0 ? 0 : step.code.type.bytes / step.sources;
  warp.Spend(step.sources);
  EachLane(lanes, [&](std::uint32_t lane) {
    Value packed;
    for (std::uint32_t i = 0; i < step.sources; ++i) {
      const Value part = warp.Source(step, i).At(lane);
      const unsigned shift = 8 * bytes * i;
      packed.bits |= shift >= 64 ? 0 : Truncate(part.bits, bytes) << shift;
      if (part.form == kNoForm) continue;
      warp.Spend(WarpState::kUnknownCost / 2);
      packed.form = warp.unknowns.Add(
          packed.form, warp.unknowns.Scale(part.form, shift >= 64 ? 0 : std::uint64_t{1} << shift));
    }
    result.Set(lane, packed);
  });
  warp.Write(step.result[0], result, lanes, guard);
}

void Unpack(WarpState& warp, const Step& step, LaneMask lanes, const LaneCondition& guard) {
  const unsigned bytes = step.results == 0 ? 0 : step.code.type.bytes / step.results;
  const auto part_of = [&](std::uint32_t i) { return Value{bytes << 8U | i, kNoForm}; };
  const LaneValues whole = warp.Source(step, 0);
  const std::optional<Common> common = CommonOf(whole, lanes);
  warp.Spend(step.results);
  for (std::uint32_t i = 0; i < step.results; ++i) {
    LaneValues part;
    if (common && common->is_of_lanes) {
      warp.Spend(WarpState::kUnknownCost);
      const Common which{part_of(i)};
      part.FillWithLaneSymbols(
          {0, warp.linear.OpaqueLanes(step.code, {*common, which}, step.instruction)});
      warp.Write(step.result[i], part, lanes, guard);
      continue;
    }
    EachLane(lanes, [&](std::uint32_t lane) {
      const Value value = whole.At(lane);
      const unsigned shift = 8 * bytes * i;
      const bool is_plain = value.form == kNoForm;
      warp.Spend(is_plain ? 0 : WarpState::kUnknownCost);
      const std::uint64_t bits = shift >= 64 ? 0 : Truncate(value.bits >> shift, bytes);
      part.Set(lane, is_plain
                         ? Value{bits, kNoForm}
                         : warp.linear.Opaque(step.code, {value, part_of(i)}, step.instruction));
    });
    warp.Write(step.result[i], part, lanes, guard);
  }
}

}  // namespace coalcheck::address

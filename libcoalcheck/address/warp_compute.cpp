// SPDX-License-Identifier: Apache-2.0
//
// Steps of a warp that compute: all lanes at once where they are alike, else one by one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "libcoalcheck/address/warp.h"

namespace coalcheck::address {
namespace {

// Of sources that are known in all lanes. Of comparisons the third one may be a negated predicate.
void ComputeNumbers(const Step& step, const std::array<const LaneValues*, 4>& sources,
                    LaneBits& result) {
  std::array<const LaneBits*, 4> bits{};
  std::ranges::transform(sources, bits.begin(), [](const LaneValues* one) { return &one->bits; });
  LaneBits flipped;
  if ((step.negated >> 2U & 1U) != 0) {
    std::ranges::transform(*bits[2], flipped.begin(), [](std::uint64_t one) { return one ^ 1U; });
    bits[2] = &flipped;
  }
  step.compute.of_lanes(step.code, bits, result);
}

}  // namespace

Value Warp::ComputeOne(const Step& step, const std::array<Value, 4>& values) {
  bool known = step.compute.exists();
  for (const Value& value : values) known = known && value.form == kNoForm;
  if (!known) Spend(kUnknownCost);
  if (!known) return linear_.Compute(step.code, step.compute, values, step.instruction);
  const auto& [a, b, c, d] = values;
  return {step.compute({&step.code, a.bits, b.bits, c.bits, d.bits}), kNoForm};
}

// What it gives for all lanes at once, where its sources allow that: the value of lane 0.
std::optional<Value> Warp::LaneSymbols(const Step& step,
                                       const std::array<const LaneValues*, 4>& sources,
                                       LaneMask lanes) {
  std::array<Common, 4> common;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const std::optional<Common> one = CommonOf(*sources[i], lanes);
    if (!one) return std::nullopt;
    common[i] = *one;
    common[i].value.bits ^= step.negated >> i & 1U;
  }
  if (LaneBitsOf(common) == 0) return std::nullopt;
  Spend(kUnknownCost);
  return linear_.LaneSymbols(step.code, step.compute, common, step.instruction);
}

Origins Warp::OriginsOf(const Step& step, LaneMask lanes) {
  Origins origins = 0;
  for (std::uint32_t i = 0; i < step.sources; ++i) {
    EachLane(lanes, [&](std::uint32_t lane) {
      origins = unknowns_.Join(origins, unknowns_.OriginsOf(Source(step, i).FormAt(lane)));
    });
  }
  if (origins != 0) return origins;
  // Texels and the like are data.
  const bool brings_data = step.code.op == ptx::Op::kOfLane;
  const auto kind = brings_data ? Origin::Kind::kLoaded : Origin::Kind::kNotComputed;
  return unknowns_.One({kind, step.instruction});
}

void Warp::GiveNew(const Step& step, LaneMask lanes, const Condition& guard, Origins origins) {
  for (std::uint32_t i = 0; i < step.results; ++i) {
    Spend(kUnknownCost);
    LaneValues result;
    const Value first{0, unknowns_.LaneSymbols(origins)};
    if (step.code.op == ptx::Op::kBlockVote) {
      result.Fill(first);
    } else {
      result.FillWithLaneSymbols(first);
    }
    Write(step.result[i], result, lanes, guard);
  }
}

void Warp::Compute(const Step& step, LaneMask lanes, const Condition& guard) {
  // Results that depend on more than operands.
  const bool is_unshared =
      step.code.op == ptx::Op::kOfLane || step.code.op == ptx::Op::kBlockVote || step.code.carries;
  if (is_unshared) return GiveNew(step, lanes, guard, OriginsOf(step, lanes));
  std::array<const LaneValues*, 4> sources{&nothing_, &nothing_, &nothing_, &nothing_};
  bool all_known = step.compute.exists();
  bool all_uniform = true;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    sources[i] = &Source(step, i);
    all_known = all_known && sources[i]->is_known;
    all_uniform = all_uniform && sources[i]->is_uniform;
  }
  const bool is_alone = step.results == 1 && step.result[0] != kNoSlot;
  if (all_known && !all_uniform && is_alone && lanes == existing_ && guard.open == 0) {
    // Most steps are so: nothing is copied.
    LaneValues& to = slots_[step.result[0]];
    ComputeNumbers(step, sources, to.bits);
    to.is_known = true;
    to.is_uniform = false;
    return;
  }
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
    result.Fill(ComputeOne(step, in_lane(0)));
  } else if (all_known) {
    ComputeNumbers(step, sources, result.bits);
  } else if (const auto first = LaneSymbols(step, sources, lanes)) {
    result.FillWithLaneSymbols(*first);
  } else {
    // Neighbours often have the same.
    std::optional<std::array<Value, 4>> before;
    Value same;
    EachLane(lanes, [&](std::uint32_t lane) {
      const std::array<Value, 4> values = in_lane(lane);
      if (before != values) same = ComputeOne(step, values);
      before = values;
      result.Set(lane, same);
    });
  }
  Write(step.result[0], result, lanes, guard);
  // `setp d|q`: the second result is of the opposite comparison; else they are elements.
  for (std::uint32_t i = 1; i < step.results; ++i) {
    if (step.result[i] == kNoSlot) continue;
    LaneValues further;
    EachLane(lanes, [&](std::uint32_t lane) {
      const Value value = result.At(lane);
      const bool is_plain = step.code.op == ptx::Op::kSetp &&
                            step.code.combine == ptx::Combine::kNone && value.form == kNoForm;
      further.Set(lane, is_plain
                            ? Value{value.bits ^ 1U, kNoForm}
                            : linear_.Opaque(step.code, {value, {i, kNoForm}}, step.instruction));
    });
    Write(step.result[i], further, lanes, guard);
  }
}

// mov.b64 %rd, {%r1, %r2}: elements of equal size, the lowest first.
void Warp::Pack(const Step& step, LaneMask lanes, const Condition& guard) {
  LaneValues result;
  const std::optional<Common> low = CommonOf(Source(step, 0), lanes);
  const std::optional<Common> high = CommonOf(Source(step, 1), lanes);
  if (step.sources == 2 && low && high && low->is_of_lanes && high->is_of_lanes) {
    // Two unknown halves are no index.
    Spend(kUnknownCost);
    result.FillWithLaneSymbols(
        {0, linear_.OpaqueLanes(step.code, {*low, *high}, step.instruction)});
    return Write(step.result[0], result, lanes, guard);
  }
  const unsigned bytes = step.sources == 0 ? 0 : step.code.type.bytes / step.sources;
  EachLane(lanes, [&](std::uint32_t lane) {
    Value packed;
    for (std::uint32_t i = 0; i < step.sources; ++i) {
      const Value part = Source(step, i).At(lane);
      const unsigned shift = 8 * bytes * i;
      packed.bits |= shift >= 64 ? 0 : Truncate(part.bits, bytes) << shift;
      if (part.form == kNoForm) continue;
      packed.form = unknowns_.Add(
          packed.form, unknowns_.Scale(part.form, shift >= 64 ? 0 : std::uint64_t{1} << shift));
    }
    result.Set(lane, packed);
  });
  Write(step.result[0], result, lanes, guard);
}

void Warp::Unpack(const Step& step, LaneMask lanes, const Condition& guard) {
  const unsigned bytes = step.results == 0 ? 0 : step.code.type.bytes / step.results;
  const auto part_of = [&](std::uint32_t i) { return Value{bytes << 8U | i, kNoForm}; };
  const LaneValues whole = Source(step, 0);
  const std::optional<Common> common = CommonOf(whole, lanes);
  for (std::uint32_t i = 0; i < step.results; ++i) {
    LaneValues part;
    if (common && common->is_of_lanes) {
      Spend(kUnknownCost);
      const Common which{part_of(i)};
      part.FillWithLaneSymbols(
          {0, linear_.OpaqueLanes(step.code, {*common, which}, step.instruction)});
      Write(step.result[i], part, lanes, guard);
      continue;
    }
    EachLane(lanes, [&](std::uint32_t lane) {
      const Value value = whole.At(lane);
      const unsigned shift = 8 * bytes * i;
      const bool is_plain = value.form == kNoForm;
      const std::uint64_t bits = shift >= 64 ? 0 : Truncate(value.bits >> shift, bytes);
      part.Set(lane, is_plain ? Value{bits, kNoForm}
                              : linear_.Opaque(step.code, {value, part_of(i)}, step.instruction));
    });
    Write(step.result[i], part, lanes, guard);
  }
}

}  // namespace coalcheck::address

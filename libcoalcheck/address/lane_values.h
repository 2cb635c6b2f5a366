// SPDX-License-Identifier: Apache-2.0
//
// What a virtual register holds in the 32 lanes of a warp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {

// Bit i: lane i.
using LaneMask = std::uint32_t;

struct LaneValues {
  std::array<std::uint64_t, kWarpSize> bits{};
  std::array<Form, kWarpSize> form{};
  bool is_known = true;     // no lane has a form
  bool is_uniform = false;  // all 32 lanes have the same value; false may mean that nobody looked

  Value At(std::uint32_t lane) const { return {bits[lane], form[lane]}; }
  void Set(std::uint32_t lane, Value value) {
    bits[lane] = value.bits;
    form[lane] = value.form;
    is_known = is_known && value.form == kNoForm;
    is_uniform = false;
  }
  void Fill(Value value) {
    bits.fill(value.bits);
    form.fill(value.form);
    is_known = value.form == kNoForm;
    is_uniform = true;
  }
  // Each lane gets a symbol of its own, to which one number is added; `first` is lane 0's value.
  void FillWithLaneSymbols(Value first) {
    bits.fill(first.bits);
    std::iota(form.begin(), form.end(), first.form);
    is_known = false;
    is_uniform = false;
  }
};

// What lanes have in common: the same value, or each a symbol of its own out of LaneSymbols and the
// same number beside it.
struct Common {
  Value value;  // lane 0's where lanes have their own
  bool is_of_lanes = false;
};
// Bit i: operand i is a symbol of each lane.
template <std::size_t kOperands>
std::uint32_t LaneBitsOf(const std::array<Common, kOperands>& operands) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kOperands; ++i) {
    if (operands[i].is_of_lanes) bits |= std::uint32_t{1} << i;
  }
  return bits;
}

// Calls `visit(lane)` for each lane of `mask`, ascending.
template <typename Visit>
void EachLane(LaneMask mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

// Of the lanes of `mask`, one at least; nothing where they have nothing in common.
inline std::optional<Common> CommonOf(const LaneValues& values, LaneMask mask) {
  const auto any = static_cast<std::uint32_t>(__builtin_ctz(mask));
  if (values.is_uniform) return Common{values.At(any)};
  const Value first{values.bits[any], values.form[any] - any};
  bool are_same = true;
  bool are_of_lanes = Unknowns::IsOfFirstLane(first.form);
  EachLane(mask, [&](std::uint32_t lane) {
    const bool has_number = values.bits[lane] == first.bits;
    are_same = are_same && has_number && values.form[lane] == values.form[any];
    are_of_lanes = are_of_lanes && has_number && values.form[lane] == first.form + lane;
  });
  if (are_same) return Common{values.At(any)};
  return are_of_lanes ? std::optional(Common{first, true}) : std::nullopt;
}

}  // namespace coalcheck::address

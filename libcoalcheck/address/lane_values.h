// SPDX-License-Identifier: Apache-2.0
//
// What a virtual register holds in the 32 lanes of a warp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "libcoalcheck/address/compute.h"
#include "libcoalcheck/address/unknowns.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::address {

// Bit i: lane i.
using LaneMask = std::uint32_t;

struct LaneValues {
  LaneBits bits{};
  bool is_known = true;     // no lane has a form
  bool is_uniform = false;  // all 32 lanes have the same value; false may mean that nobody looked

  LaneValues() = default;
  LaneValues(const LaneValues& other) { *this = other; }
  LaneValues& operator=(const LaneValues& other) {
    bits = other.bits;
    is_known = other.is_known;
    is_uniform = other.is_uniform;
    if (!is_known) form_ = other.form_;
    return *this;
  }
  ~LaneValues() = default;

  Form FormAt(std::uint32_t lane) const { return is_known ? kNoForm : form_[lane]; }
  Value At(std::uint32_t lane) const { return {bits[lane], FormAt(lane)}; }
  void Set(std::uint32_t lane, Value value) {
    if (is_known && value.form != kNoForm) form_.fill(kNoForm);
    is_known = is_known && value.form == kNoForm;
    is_uniform = false;
    bits[lane] = value.bits;
    if (!is_known) form_[lane] = value.form;
  }
  void Fill(Value value) {
    bits.fill(value.bits);
    is_known = value.form == kNoForm;
    is_uniform = true;
    if (!is_known) form_.fill(value.form);
  }
  // Each lane gets a symbol of its own, to which one number is added; `first` is lane 0's value.
  void FillWithLaneSymbols(Value first) {
    bits.fill(first.bits);
    std::iota(form_.begin(), form_.end(), first.form);
    is_known = false;
    is_uniform = false;
  }
  // Takes the lanes of `mask` over from `other`.
  void Take(LaneMask mask, const LaneValues& other) {
    if (!is_known || !other.is_known) {
      for (; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
        Set(lane, other.At(lane));
      }
      return;
    }
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t taken = 0 - std::uint64_t{mask >> lane & 1U};
      bits[lane] = (bits[lane] & ~taken) | (other.bits[lane] & taken);
    }
    is_uniform = false;
  }

 private:
  std::array<Form, kWarpSize> form_;  // means something where `is_known` is false
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

// Calls `visit(lane)` for each lane of `mask`, ascending. All lanes are the common case, and a loop
// that compilers make vector instructions of.
template <typename Visit>
void EachLane(LaneMask mask, Visit visit) {
  if (mask == ~LaneMask{0}) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) visit(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

// Of the lanes of `mask`, one at least; nothing where they have nothing in common.
inline std::optional<Common> CommonOf(const LaneValues& values, LaneMask mask) {
  const auto any = static_cast<std::uint32_t>(__builtin_ctz(mask));
  if (values.is_uniform) return Common{values.At(any)};
  const Value first{values.bits[any], values.FormAt(any) - any};
  bool are_same = true;
  bool are_of_lanes = Unknowns::IsOfFirstLane(first.form);
  EachLane(mask, [&](std::uint32_t lane) {
    const bool has_number = values.bits[lane] == first.bits;
    are_same = are_same && has_number && values.FormAt(lane) == values.FormAt(any);
    are_of_lanes = are_of_lanes && has_number && values.FormAt(lane) == first.form + lane;
  });
  if (are_same) return Common{values.At(any)};
  return are_of_lanes ? std::optional(Common{first, true}) : std::nullopt;
}

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// What a virtual register holds in the 32 lanes of a warp.
#pragma once

#include <array>
#include <cstdint>

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
};

// Calls `visit(lane)` for each lane of `mask`, ascending.
template <typename Visit>
void EachLane(LaneMask mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(__builtin_ctz(mask)));
}

}  // namespace coalcheck::address

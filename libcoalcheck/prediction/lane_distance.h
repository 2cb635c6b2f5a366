// SPDX-License-Identifier: Apache-2.0
//
// How the lanes of a request lie apart: a number, and so many times one distance that nobody knows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "libcoalcheck/address/request.h"
#include "libcoalcheck/address/unknowns.h"

namespace coalcheck::prediction {

// Whether lanes differ by numbers alone: all have the first one's symbols.
bool IsOneForm(const address::Request& request);

struct LaneDistance {
  // What the distance is a multiple of, without a common factor: by symbol.
  address::Unknowns::Multiples of;
  std::int64_t step = 0;  // bytes: the factor
  // The distances between a lane and the first, and what lies between them beside it.
  std::array<std::int64_t, kWarpSize> times{};
  std::array<std::uint64_t, kWarpSize> behind{};

  bool IsOfTheSame(const LaneDistance& other) const;
};

// Empty where they lie apart in another way, or by numbers alone.
std::optional<LaneDistance> LaneDistanceOf(const address::Request& request,
                                           const address::Unknowns& unknowns);

}  // namespace coalcheck::prediction

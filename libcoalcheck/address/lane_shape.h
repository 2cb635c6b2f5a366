// SPDX-License-Identifier: Apache-2.0
//
// How the addresses of one request's lanes lie to each other.
#pragma once

#include <compare>
#include <cstdint>

#include "libcoalcheck/address/request.h"
#include "libcoalcheck/address/unknowns.h"

namespace coalcheck::address {

struct LaneShape {
  enum class Kind : std::uint8_t {
    kSame,  // all lanes, or the only one, have one address
    // Each lane's is `step` bytes above the lane's before it; negative: below. Where lanes take
    // part that are as far from each other, as every eighth, and ask for neighbouring elements, it
    // is that much above the one before that takes part.
    kStep,
    kRows,          // the same within rows of `row` lanes, or one fewer; each row lies elsewhere
    kIrregular,     // no step
    kStepByLaunch,  // a step of unknown size: an argument that was not recorded decides
    kByData,        // for each lane unknown data decide
  };
  Kind kind = Kind::kSame;
  std::int64_t step = 0;    // bytes
  std::uint32_t row = 32;   // lanes
  bool is_partial = false;  // some lanes do not take part
  bool has_gaps = false;    // some of them between lanes that do, and so are bytes
  // Of the lowest address, in bytes behind the start of its sector; 0 where data decide that.
  std::uint32_t phase = 0;
  // Unknown data decide where rows, or all lanes together, begin.
  bool begins_by_data = false;
  friend auto operator<=>(const LaneShape&, const LaneShape&) = default;
};

// `unknowns` is what the request's forms belong to; `width`: bytes of a lane.
LaneShape ShapeOf(const Request& request, std::uint32_t width, Unknowns& unknowns);

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// Which launches of one shape (kernel, grid, block) get a window. Counts are exact in one launch;
// more launches of the same shape add cost, rarely knowledge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::selection {

struct Sampling {
  enum class Kind { kFirst, kAll, kEvery };
  Kind kind = Kind::kFirst;
  std::uint64_t every = 1;  // kEvery: the 1st, (1 + every)th, … launch

  friend bool operator==(const Sampling&, const Sampling&) = default;
};

// "first", "all", "every:N" with N ≥ 1.
Result<Sampling> ParseSampling(std::string_view text);
std::string ToString(const Sampling& sampling);

// What happened to the launches of one shape so far.
struct ShapeHistory {
  std::uint64_t earlier_launches = 0;  // before the one being decided
  std::uint64_t windows = 0;           // opened for this shape
  std::uint64_t missed = 0;            // in a row: wanted a window and could not have one
  bool ended_late = false;             // its kernel outlived the closing deadline once
};

// After this many misses in a row no more tries are made: each can cost the application the opening
// deadline. Under `first`, tries also move ever further apart.
inline constexpr std::uint64_t kMostMisses = 6;

// Whether the next launch of the shape should get a window. A shape whose kernel once outlived the
// closing deadline is not counted again: it may need the application to go on.
bool WantsWindow(const Sampling& sampling, const ShapeHistory& history);

}  // namespace coalcheck::selection

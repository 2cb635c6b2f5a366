// SPDX-License-Identifier: Apache-2.0
//
// Which launches of one shape (kernel, grid, block, open ranges) get a window. Counts are exact in
// one launch; more launches of the same shape add cost, rarely knowledge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::selection {

struct Sampling {
  // kAuto: each kernel's first launch; then, within a budget, its other shapes once and each shape
  // again at growing distance.
  enum class Kind { kFirst, kAll, kEvery, kAuto };
  Kind kind = Kind::kFirst;
  std::uint64_t every = 1;  // kEvery: the 1st, (1 + every)th, … launch

  friend bool operator==(const Sampling&, const Sampling&) = default;
};

// "auto", "first", "all", "every:N" with N ≥ 1.
Result<Sampling> ParseSampling(std::string_view text);
std::string ToString(const Sampling& sampling);

// What happened to the launches of one shape so far.
struct ShapeHistory {
  std::uint64_t earlier_launches = 0;  // before the one being decided
  std::uint64_t windows = 0;           // opened for this shape
  std::uint64_t missed = 0;            // in a row: wanted a window and could not have one
  bool ended_late = false;             // its kernel outlived the closing deadline once

  // Read under kAuto only.
  std::uint64_t kernel_windows = 0;      // opened for, or around, any shape of its kernel
  std::uint64_t last_window_launch = 0;  // the latest launch, from 1, that got one; 0: not known
  bool counts_differ = false;            // two windows of its kernel came to different counts
};

// After this many failures in a row no more windows are tried: each can cost the application the
// opening deadline. Under `first` and `auto`, tries also move ever further apart.
inline constexpr std::uint64_t kMostMisses = 6;

enum class Wish { kNo, kIfAffordable, kAlways };

// Whether the next launch of the shape shall have a window. kIfAffordable, only under `auto`: the
// caller asks its budget. A shape whose kernel once outlived the closing deadline is not counted
// again: it may need the application to go on.
Wish WishFor(const Sampling& sampling, const ShapeHistory& history);

// Whether a window is wanted at all.
bool WantsWindow(const Sampling& sampling, const ShapeHistory& history);

}  // namespace coalcheck::selection

// SPDX-License-Identifier: Apache-2.0
//
// Rules are held against every access: a file of a megabyte has thirty thousand patterns, and a
// recording half a million accesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libcoalcheck/base/ranges.h"
#include "libcoalcheck/selection/range_filter.h"
#include "libcoalcheck/selection/regular_expression.h"

namespace coalcheck::policy {

// Nanoseconds, measured.
inline constexpr std::uint64_t kMostWork = 2'000'000'000;
inline constexpr std::uint64_t kWorkOfRule =
    60;  // to look at one of very many: they are in no cache
inline constexpr std::uint64_t kWorkOfValue = 10;   // in a rule
inline constexpr std::uint64_t kWorkOfMatch = 100;  // to take over what the rule says

// What is left of the work that may be done. Each call subtracts first; false: none is left.
class Work {
 public:
  explicit Work(std::uint64_t most) : left_(most) {}

  bool Spend(std::uint64_t work);
  // Holding a pattern against a name of that length.
  template <typename Pattern>
  bool SpendOn(const Pattern& pattern, std::size_t name) {
    return SpendOnName(selection::WeightIn(pattern), selection::LooksAheadIn(pattern), name);
  }
  // Holding a filter against all that was open.
  bool SpendOnRanges(const selection::RangeFilter& filter, const std::vector<OpenRange>& open);
  bool is_spent() const { return left_ == 0; }

 private:
  // `weight`: 0, or that of an expression.
  bool SpendOnName(std::size_t weight, bool looks_ahead, std::size_t name);

  std::uint64_t left_;
};

}  // namespace coalcheck::policy

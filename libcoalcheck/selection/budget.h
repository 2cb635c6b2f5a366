// SPDX-License-Identifier: Apache-2.0
//
// How much of a program's time windows may take.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::selection {

using WindowCount = Quantity<struct WindowCountTag>;

// A share of the elapsed time, more than 0 and at most all of it.
class BudgetShare {
 public:
  // "1%", "0.5%", "1.5 %": percent with at most four decimals. Error: anything else, and 0.
  static Result<BudgetShare> Parse(std::string_view text);

  constexpr BudgetShare() = default;
  std::uint32_t parts_per_million() const { return parts_per_million_; }
  // That share of a duration, rounded down.
  std::chrono::nanoseconds Of(std::chrono::nanoseconds whole) const;

  friend bool operator==(BudgetShare, BudgetShare) = default;

 private:
  constexpr explicit BudgetShare(std::uint32_t parts) : parts_per_million_(parts) {}
  std::uint32_t parts_per_million_ = 10000;  // 1%
};

// "0.5%", which Parse reads back.
std::string ToString(BudgetShare share);

// The cost of all windows so far, and whether one more is within the share of the elapsed time.
// Every window is charged, also those opened without asking, which delay the others. Any thread:
// callers that ask at the same time may each be allowed a window, so the share can be exceeded by
// one window for each thread. Times are since the start of the program.
class WindowBudget {
 public:
  explicit WindowBudget(BudgetShare share) : share_(share) {}

  // Whether a window that costs as much as the recent ones is within the budget now.
  bool Affords(std::chrono::nanoseconds now) const;
  // A window took that much of the program's time.
  void Spent(std::chrono::nanoseconds cost);

  std::chrono::nanoseconds spent() const { return std::chrono::nanoseconds(spent_.load()); }
  WindowCount windows() const { return WindowCount(windows_.load()); }
  BudgetShare share() const { return share_; }

 private:
  const BudgetShare share_;
  std::atomic<std::int64_t> spent_{0};     // nanoseconds
  std::atomic<std::int64_t> expected_{0};  // nanoseconds; a running average
  std::atomic<std::uint64_t> windows_{0};
};

}  // namespace coalcheck::selection

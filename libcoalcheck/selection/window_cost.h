// SPDX-License-Identifier: Apache-2.0
//
// What a window of a kernel will cost, and whether that is too much.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace coalcheck::selection {

// What windows of one kernel have cost. Any thread: of two windows that end together either may be
// remembered.
class KernelCost {
 public:
  // A window over one launch of so many threads held the program for so long.
  void Took(std::uint64_t threads, std::chrono::nanoseconds cost);
  // The most to expect of a launch of so many threads: as much as last time, and more in
  // proportion where it has more threads. Empty: there was no window yet.
  std::optional<std::chrono::nanoseconds> Expected(std::uint64_t threads) const;

 private:
  std::atomic<std::uint64_t> threads_{0};  // 0: no window yet
  std::atomic<std::int64_t> nanoseconds_{0};
};

// What the first windows of all kernels may cost together. Any thread.
class FirstWindows {
 public:
  static constexpr std::chrono::seconds kAlways{10};
  static constexpr std::int64_t kShare = 10;  // or one part in so many of the time so far

  void Took(std::chrono::nanoseconds cost) { spent_ += cost.count(); }
  bool MayGoOn(std::chrono::nanoseconds elapsed) const;
  std::chrono::nanoseconds spent() const { return std::chrono::nanoseconds(spent_.load()); }

 private:
  std::atomic<std::int64_t> spent_{0};
};

}  // namespace coalcheck::selection

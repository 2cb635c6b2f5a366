// SPDX-License-Identifier: Apache-2.0
//
// What a window of a kernel will cost, and whether that is too much.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace coalcheck::selection {

// What windows of one kernel have cost. Any thread: of two windows that end together parts of
// either may be remembered.
class KernelCost {
 public:
  // A window over one launch of so many threads held the program so long while the kernel's code
  // was patched, and so long while the kernel ran and was read out.
  void Took(std::uint64_t threads, std::chrono::nanoseconds patching,
            std::chrono::nanoseconds running);
  // The most to expect of a launch of so many threads: as much as last time, where running takes
  // more in proportion to more threads. Empty: there was no window yet.
  std::optional<std::chrono::nanoseconds> Expected(std::uint64_t threads) const;

 private:
  std::atomic<std::uint64_t> threads_{0};  // 0: no window yet
  std::atomic<std::int64_t> patching_{0};  // nanoseconds
  std::atomic<std::int64_t> running_{0};
};

// What the first windows of all kernels may cost together. Any thread. Times are since the start of
// the program.
class FirstWindowBudget {
 public:
  // `limit`: what one window may take.
  explicit FirstWindowBudget(std::chrono::nanoseconds limit = {})
      : always_(std::max<std::chrono::nanoseconds>(kAlways, 2 * limit)) {}

  static constexpr std::chrono::seconds kAlways{10};  // or two windows of the longest
  static constexpr std::int64_t kShare = 10;          // or one part in so many of the time so far
  // For short windows once that is spent.
  static constexpr std::chrono::seconds kReserve{2};

  void Took(std::chrono::nanoseconds cost, std::chrono::nanoseconds now);
  // Whether it is not spent yet.
  bool MayGoOn(std::chrono::nanoseconds now) const { return Left(now).count() >= 0; }
  // Negative: the last one took more than was left.
  std::chrono::nanoseconds Left(std::chrono::nanoseconds now) const;
  std::chrono::nanoseconds reserve() const {
    return kReserve - std::chrono::nanoseconds(of_reserve_.load());
  }
  std::chrono::nanoseconds spent() const { return std::chrono::nanoseconds(spent_.load()); }

 private:
  const std::chrono::nanoseconds always_;
  std::atomic<std::int64_t> spent_{0};
  std::atomic<std::int64_t> of_reserve_{0};
};

}  // namespace coalcheck::selection

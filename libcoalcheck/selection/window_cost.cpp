// SPDX-License-Identifier: Apache-2.0
//
// The expectation is an upper bound where a kernel's time does not grow faster than its threads.
#include "libcoalcheck/selection/window_cost.h"

#include <algorithm>
#include <limits>

namespace coalcheck::selection {

void KernelCost::Took(std::uint64_t threads, std::chrono::nanoseconds patching,
                      std::chrono::nanoseconds running) {
  patching_.store(std::max<std::int64_t>(patching.count(), 0), std::memory_order_relaxed);
  running_.store(std::max<std::int64_t>(running.count(), 0), std::memory_order_relaxed);
  threads_.store(std::max<std::uint64_t>(threads, 1), std::memory_order_release);
}

std::optional<std::chrono::nanoseconds> KernelCost::Expected(std::uint64_t threads) const {
  const std::uint64_t known = threads_.load(std::memory_order_acquire);
  if (known == 0) return std::nullopt;
  const auto patching = static_cast<double>(patching_.load(std::memory_order_relaxed));
  const auto running = static_cast<double>(running_.load(std::memory_order_relaxed));
  const double ratio = static_cast<double>(threads) / static_cast<double>(known);
  constexpr auto kMost = static_cast<double>(std::numeric_limits<std::int64_t>::max()) / 2;
  return std::chrono::nanoseconds(
      static_cast<std::int64_t>(std::min(patching + running * std::max(ratio, 1.0), kMost)));
}

void FirstWindowBudget::Took(std::chrono::nanoseconds cost, std::chrono::nanoseconds now) {
  if (Left(now).count() <= 0) of_reserve_ += cost.count();
  spent_ += cost.count();
}

std::chrono::nanoseconds FirstWindowBudget::Left(std::chrono::nanoseconds now) const {
  return std::max<std::chrono::nanoseconds>(always_, now / kShare) - spent();
}

}  // namespace coalcheck::selection

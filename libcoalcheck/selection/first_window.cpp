// SPDX-License-Identifier: Apache-2.0
//
// The rule, as functions of plain values; products are kept from overflowing.
#include "libcoalcheck/selection/first_window.h"

#include <algorithm>

namespace coalcheck::selection {
namespace {

using std::chrono::nanoseconds;

constexpr double kNanosecondsOfAnAccess = 4;
constexpr double kNanosecondsOfAnAccessOfAWarp = 900;
constexpr double kThreadsOfAWarp = 32;
constexpr double kMostNanoseconds = 4e18;  // 127 years
constexpr std::chrono::milliseconds kLeastToLearnFrom{100};
constexpr double kTimesForAccesses = 2000;
constexpr double kLeastTimes = 35;

nanoseconds ToNanoseconds(double count) {
  return nanoseconds(static_cast<std::int64_t>(std::clamp(count, 0.0, kMostNanoseconds)));
}

bool Fits(nanoseconds expected, const Allowance& allowance) {
  return expected <= allowance.limit && expected <= allowance.left;
}

bool FitsReserve(nanoseconds expected, const Allowance& allowance) {
  return expected <= std::min({allowance.limit, allowance.reserve, nanoseconds(kShortWindow)});
}

}  // namespace

void Corrections::Saw(nanoseconds foretold, nanoseconds took) {
  if (foretold.count() <= 0 || took < kLeastToLearnFrom) return;
  const double factor = static_cast<double>(took.count()) / static_cast<double>(foretold.count());
  thousandths_ += static_cast<std::uint64_t>(std::min(factor, kMost) * 1000);
  ++windows_;
}

double Corrections::factor() const {
  const double sum = 1 + static_cast<double>(thousandths_) / 1000;
  return std::clamp(sum / static_cast<double>(windows_ + 1), kLeast, kMost);
}

nanoseconds TimeToCount(std::uint64_t threads, double accesses) {
  const double warps = static_cast<double>(threads) / kThreadsOfAWarp;
  return ToNanoseconds(accesses *
                       std::max(warps * kNanosecondsOfAnAccess, kNanosecondsOfAnAccessOfAWarp));
}

std::optional<nanoseconds> ExpectedOf(const FirstLaunch& launch, double correction) {
  if (!launch.uncounted || launch.outlived) return std::nullopt;
  const double times = std::max(kLeastTimes, launch.share * kTimesForAccesses);
  double expected = static_cast<double>(launch.uncounted->count()) * times;
  if (!launch.in_loops) expected = std::min(expected, static_cast<double>(launch.by_code.count()));
  return ToNanoseconds(expected * correction);
}

FirstWindow RuleOn(const FirstLaunch& launch, double correction, const Allowance& allowance) {
  if (launch.outlived) return FirstWindow::kLeaveOut;
  if (const auto expected = ExpectedOf(launch, correction)) {
    const bool fits = Fits(*expected, allowance) || FitsReserve(*expected, allowance);
    return fits ? FirstWindow::kOpen : FirstWindow::kLeaveOut;
  }
  const bool fits = Fits(launch.by_code, allowance) ||
                    (!launch.in_loops && FitsReserve(launch.by_code, allowance));
  return fits ? FirstWindow::kOpen : FirstWindow::kTimeFirst;
}

}  // namespace coalcheck::selection

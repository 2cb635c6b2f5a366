// SPDX-License-Identifier: Apache-2.0
//
// Counts saturate instead of wrapping, and ratios of nothing are nothing.
#include "libcoalcheck/base/units.h"

#include <gtest/gtest.h>

namespace coalcheck {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Units, SumsStopAtTheLargestValue) {
  EXPECT_EQ(Sectors(kMost - 1) + Sectors(1), Sectors(kMost));
  EXPECT_EQ(Sectors(kMost) + Sectors(kMost), Sectors(kMost));
}

TEST(Units, DifferencesStopAtZero) {
  EXPECT_EQ(Sectors(5) - Sectors(3), Sectors(2));
  EXPECT_EQ(Sectors(3) - Sectors(5), Sectors(0));
}

TEST(Units, AveragePerNothingIsZero) {
  EXPECT_EQ(Per(Sectors(8), Requests(2)), 4.0);
  EXPECT_EQ(Per(Sectors(8), Requests(0)), 0.0);
}

}  // namespace
}  // namespace coalcheck

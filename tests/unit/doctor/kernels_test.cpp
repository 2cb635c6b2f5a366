// SPDX-License-Identifier: Apache-2.0
//
// The self-test's kernels and what they must count.
#include "libcoalcheck/doctor/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::doctor {
namespace {

using ::testing::HasSubstr;

TEST(DoctorKernels, ACoalescedRequestTouchesFourSectorsAStridedOneThirtyTwo) {
  const std::vector<SelfTestCounts> expected = ExpectedCounts();
  ASSERT_EQ(expected.size(), 4U);
  const std::uint64_t sectors_per_request[] = {4, 4, 32, 4};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].requests, kThreads / 32) << i;
    EXPECT_EQ(expected[i].sectors, sectors_per_request[i] * expected[i].requests) << i;
    EXPECT_EQ(expected[i].ideal_sectors, 4 * expected[i].requests) << i;
  }
}

TEST(DoctorKernels, ThePtxHoldsBothForTheOldestGpuThatIsSupported) {
  const std::string ptx = kKernelsPtx;
  EXPECT_THAT(ptx, HasSubstr(".target sm_75"));
  EXPECT_THAT(ptx, HasSubstr(".entry " + std::string(kCoalescedKernel) + "("));
  EXPECT_THAT(ptx, HasSubstr(".entry " + std::string(kStridedKernel) + "("));
}

}  // namespace
}  // namespace coalcheck::doctor

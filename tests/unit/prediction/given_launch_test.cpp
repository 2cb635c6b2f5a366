// SPDX-License-Identifier: Apache-2.0
//
// On which predicted launches changes of a kernel can be tried, and what these look like.
#include "libcoalcheck/prediction/given_launch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/prediction/small_kernel.h"

namespace coalcheck::prediction {
namespace {

const std::string kStrideOfN = "mul.lo.s32 %r9, %r3, %r2;\n" + kLoad;

KnownLaunch OfGridAndBlock() {
  KnownLaunch launch;
  launch.grid = address::Extent{4, 1, 1};
  launch.block = address::Extent{64, 1, 1};
  return launch;
}

TEST(GivenLaunch, CountsWhatAllItsWarpsAskFor) {
  KnownLaunch launch = OfGridAndBlock();
  launch.by_name["n"] = 2;
  launch.launches = 3;
  const auto given = Kernel(kStrideOfN).GivenBy(launch);
  ASSERT_EQ(given.size(), 1U);
  EXPECT_EQ(given[0].launches, Launches(3));
  ASSERT_EQ(given[0].counts.size(), 1U);
  const Counts counts = given[0].counts.begin()->second.direct;
  EXPECT_EQ(counts.requests, Requests(3 * 8));
  EXPECT_EQ(counts.sectors, Sectors(3 * 8 * 8));
}

TEST(GivenLaunch, HasAPlaceForAPointerThatNobodyGave) {
  KnownLaunch launch = OfGridAndBlock();
  launch.by_name["n"] = 2;
  const auto given = Kernel(kStrideOfN).GivenBy(launch);
  ASSERT_EQ(given.size(), 1U);
  ASSERT_EQ(given[0].arguments.bytes.size(), 12U);
  EXPECT_EQ(given[0].known, std::string(12, '\1'));
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, given[0].arguments.bytes.data(), sizeof(pointer));
  EXPECT_NE(pointer, 0U);
  EXPECT_EQ(pointer % address::kPointerAlignment, 0U);
}

TEST(GivenLaunch, IsNoneWhereAnArgumentThatDecidesAddressesIsNotKnown) {
  EXPECT_TRUE(Kernel(kStrideOfN).GivenBy(OfGridAndBlock()).empty());
}

TEST(GivenLaunch, DoesWithoutAFloatThatDecidesOneOfItsAddresses) {
  const std::string place =
      "ld.param.f32 %f3, [k_1];\ncvt.rzi.s32.f32 %r9, %f3;\nmul.lo.s32 %r9, %r9, %r3;\n";
  EXPECT_EQ(Kernel(place + kLoad).GivenBy(OfGridAndBlock()).size(), 1U);
}

TEST(GivenLaunch, DoesWithoutAnArgumentThatDecidesNoAddress) {
  EXPECT_EQ(Kernel("mov.u32 %r9, %r3;\n" + kLoad).GivenBy(OfGridAndBlock()).size(), 1U);
}

TEST(GivenLaunch, IsNoneWithoutAGridOrABlock) {
  KnownLaunch launch = OfGridAndBlock();
  launch.by_name["n"] = 2;
  launch.grid.reset();
  EXPECT_TRUE(Kernel(kStrideOfN).GivenBy(launch).empty());
}

TEST(GivenLaunch, KeepsPointersThatWereRecorded) {
  GivenLaunch launch;
  launch.arguments.assign(12, '\2');
  launch.known.assign(12, '\1');
  const std::uint32_t pointers[] = {0};
  MakeUpPointers(pointers, launch.arguments.size(), launch);
  EXPECT_EQ(launch.arguments, std::string(12, '\2'));
}

}  // namespace
}  // namespace coalcheck::prediction

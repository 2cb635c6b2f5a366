// SPDX-License-Identifier: Apache-2.0
//
// The sector model on the patterns every CUDA text shows, and against the byte oracle on requests
// that nobody would write.
#include "libcoalcheck/sectors/warp_request.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/sectors/byte_oracle.h"
#include "tests/unit/sectors/print.h"

namespace coalcheck::sectors {
namespace {

RequestCounts Counts(std::uint64_t lanes, std::uint64_t sectors, std::uint64_t ideal,
                     std::uint64_t lines) {
  return {Lanes(lanes), Sectors(sectors), Sectors(ideal), CacheLines(lines)};
}

TEST(WarpRequest, AlignedFloatsFillFourSectorsOfOneLine) {
  EXPECT_EQ(Count(Strided(0, 4, 4)), Counts(32, 4, 4, 1));
}

TEST(WarpRequest, MisalignedByOneElementTouchesFiveSectors) {
  EXPECT_EQ(Count(Strided(4, 4, 4)), Counts(32, 5, 4, 2));
}

TEST(WarpRequest, OnASectorButNotOnALineTouchesFourSectorsInTwoLines) {
  EXPECT_EQ(Count(Strided(32, 4, 4)), Counts(32, 4, 4, 2));
}

TEST(WarpRequest, WideElementsFillTheirSectors) {
  EXPECT_EQ(Count(Strided(0, 16, 16)), Counts(32, 16, 16, 4));
  EXPECT_EQ(Count(Strided(0, 1, 1)), Counts(32, 1, 1, 1));
}

TEST(WarpRequest, AStrideOfALineTouchesASectorAndALinePerLane) {
  EXPECT_EQ(Count(Strided(0, 128, 4)), Counts(32, 32, 4, 32));
}

TEST(WarpRequest, OneFieldOfAStructTouchesTheSectorsOfTheWholeStruct) {
  EXPECT_EQ(Count(Strided(0, 12, 4)), Counts(32, 12, 4, 3));
  EXPECT_EQ(Count(Strided(0, 24, 8)), Counts(32, 24, 8, 6));
  EXPECT_EQ(Count(Strided(0, 16, 4)), Counts(32, 16, 4, 4));
}

TEST(WarpRequest, ABroadcastIsIdeal) { EXPECT_EQ(Count(Strided(64, 0, 4)), Counts(32, 1, 1, 1)); }

// `groups` equal groups of neighbouring lanes, each at one address, 1024 bytes from the next.
WarpRequest GroupsFarApart(std::uint32_t groups, std::uint32_t width) {
  WarpRequest request;
  request.width = width;
  request.active = ~0U;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    request.address[lane] = std::uint64_t{lane / (32 / groups)} * 1024;
  }
  return request;
}

// As Nsight Compute and the SASS metrics count them on an H200 (tests/gpu/ideal_probe).
TEST(WarpRequest, GroupsOfLanesThatShareFarAddressesNeedASectorEach) {
  EXPECT_EQ(Count(GroupsFarApart(2, 4)), Counts(32, 2, 2, 2));
  EXPECT_EQ(Count(GroupsFarApart(4, 4)), Counts(32, 4, 4, 4));
  EXPECT_EQ(Count(GroupsFarApart(16, 4)), Counts(32, 16, 4, 16));
  EXPECT_EQ(Count(GroupsFarApart(2, 16)), Counts(32, 2, 2, 2));
}

TEST(WarpRequest, InactiveLanesCountNeitherAsTouchedNorAsIdeal) {
  WarpRequest request = Strided(0, 4, 4);
  request.active = 0x55555555;
  EXPECT_EQ(Count(request), Counts(16, 4, 2, 1));
}

TEST(WarpRequest, OrderOfLanesDoesNotMatter) {
  WarpRequest request = Strided(0, 4, 4);
  std::reverse(request.address.begin(), request.address.end());
  std::swap(request.address[3], request.address[20]);
  EXPECT_EQ(Count(request), Counts(32, 4, 4, 1));
}

TEST(WarpRequest, WithoutActiveLanesOrWidthNothingIsTouched) {
  EXPECT_EQ(Count(WarpRequest{}), Counts(0, 0, 0, 0));
  EXPECT_EQ(Count(Strided(0, 4, 0)), Counts(32, 0, 0, 0));
}

// Overlaps, gaps, any alignment, any mask, dense enough that lanes share sectors.
TEST(WarpRequest, RandomRequestsAgreeWithTheSetOfTheirBytes) {
  std::mt19937_64 random(1);
  constexpr std::uint32_t kWidths[] = {1, 2, 4, 8, 16};
  for (int round = 0; round < 20000; ++round) {
    WarpRequest request;
    request.width = kWidths[random() % 5];
    request.active = static_cast<std::uint32_t>(random() & random());
    const std::uint64_t spread = std::uint64_t{1} << random() % 16;
    for (std::uint64_t& address : request.address) address = random() % spread;
    ASSERT_EQ(Count(request), CountBytes(request)) << testing::PrintToString(request);
  }
}

TEST(WarpRequest, CountsStayWithinTheirBounds) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20000; ++round) {
    WarpRequest request;
    request.active = static_cast<std::uint32_t>(random());
    for (std::uint64_t& address : request.address) address = random() % 4096 * 4;
    const RequestCounts counts = Count(request);
    ASSERT_LE(counts.lines.count(), counts.sectors.count());
    ASSERT_LE(counts.sectors.count(), 4 * counts.lines.count());
    ASSERT_LE(counts.ideal_sectors, counts.sectors);
    ASSERT_LE(counts.sectors.count(), counts.lanes.count());  // aligned floats never straddle
  }
}

}  // namespace
}  // namespace coalcheck::sectors

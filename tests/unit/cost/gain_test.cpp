// SPDX-License-Identifier: Apache-2.0
//
// The expected gain of a repair: what holds for any numbers, and what an H200 was timed with.
#include "libcoalcheck/cost/gain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <string>

namespace coalcheck::cost {
namespace {

// Two transfers a cycle of 6144 bits at 3201 MHz, an H200's memory by its data sheet.
constexpr double kPeak = 2 * 3.201e9 * 6144 / 8;
constexpr std::uint64_t kRequests = 524288;  // of 2^24 floats by full warps

Bytes CouldMoveIn(double seconds) { return Bytes(static_cast<std::uint64_t>(seconds * kPeak)); }

// A kernel that loads and stores 2^24 floats: one access as it should be, one of so many sectors
// and lines a request.
KernelUse CopyWith(double seconds, double work_seconds, std::uint64_t sectors,
                   std::uint64_t lines) {
  KernelUse use;
  use.work = work_seconds / seconds;
  use.own_waits = 0.5 * (1 - use.work);
  use.could_move = CouldMoveIn(seconds);
  const Bytes needed = MovedFor(Sectors(4 * kRequests), CacheLines(kRequests));
  use.traffic.now = needed + MovedFor(Sectors(sectors * kRequests), CacheLines(lines * kRequests));
  use.traffic.repaired = needed + needed;
  return use;
}

TEST(Gain, IsARangeBetweenNothingAndEverythingWhateverTheNumbers) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> share(-0.5, 1.5);
  const auto bytes = [&] { return Bytes(random() >> (random() % 64)); };
  for (int i = 0; i < 100000; ++i) {
    KernelUse use{share(random), share(random), share(random), {bytes(), bytes()}, bytes()};
    if (i % 7 == 0) use.could_move = Bytes(0);
    const Gain gain = GainOf(use);
    ASSERT_GE(gain.least, 0) << i;
    ASSERT_LE(gain.least, gain.most) << i;
    ASSERT_LE(gain.most, 1) << i;
  }
}

TEST(Gain, IsNothingWhereARepairMovesAsMuch) {
  KernelUse use = CopyWith(0.25e-3, 0, 4, 1);
  use.own_waits = 0;
  EXPECT_EQ(GainOf(use), Gain());
  use.could_move = Bytes(0);
  EXPECT_EQ(GainOf(use), Gain());
  EXPECT_EQ(GainOf({}), Gain());
}

TEST(Gain, OfTheNaiveTransposeIsThatOfTheTiledOne) {
  // 0.2516 ms against 0.0404 ms on an H200; of its samples 2.2 % are work.
  const Gain gain = GainOf(CopyWith(0.2516e-3, 0.022 * 0.2516e-3, 32, 32));
  EXPECT_LE(gain.least, 0.839);
  EXPECT_GE(gain.most, 0.839);
  EXPECT_LT(gain.most - gain.least, 0.15);
}

std::map<int, double> MillisecondsByStride() {
  std::ifstream table(std::string(COALCHECK_SOURCE_DIR) + "/docs/measurements/stride.csv");
  std::map<int, double> times;
  for (std::string line; std::getline(table, line);) {
    int stride = 0;
    double milliseconds = 0;
    if (std::sscanf(line.c_str(), "%d,%lf", &stride, &milliseconds) == 2) {
      times[stride] = milliseconds;
    }
  }
  return times;
}

TEST(Gain, OfEveryStrideThatWasTimedIsInItsRange) {
  const std::map<int, double> times = MillisecondsByStride();
  ASSERT_EQ(times.size(), 33);
  // The index's remainder takes as long for every stride: 30 % of the samples of stride 1.
  constexpr double kWork = 16.3e-6;
  int wide = 0;
  for (int stride = 2; stride <= 32; ++stride) {
    const auto lines = static_cast<std::uint64_t>(stride);
    const std::uint64_t sectors = std::min<std::uint64_t>(32, 4 * lines);
    const Gain gain = GainOf(CopyWith(times.at(stride) * 1e-3, kWork, sectors, lines));
    const double measured = 1 - times.at(1) / times.at(stride);
    EXPECT_LE(gain.least, measured) << stride;
    EXPECT_GE(gain.most, measured) << stride;
    if (gain.most - gain.least > 0.15) ++wide;
  }
  EXPECT_LE(wide, 3);  // the smallest strides, whose time is half what remains
}

TEST(Gain, IsSmallWhereMemoryIsIdle) {
  // Nine tenths of the time wait for wasted sectors, and memory moves a fiftieth of what it could.
  KernelUse use = CopyWith(0.25e-3, 0, 32, 32);
  use.own_waits = 0.9;
  use.could_move = Bytes(50 * use.traffic.now.count());
  const Gain gain = GainOf(use);
  EXPECT_LT(gain.most, 0.2);
  EXPECT_LT(gain.least, 0.01);
}

TEST(Gain, NeverExceedsWhatIsNotWork) {
  KernelUse use = CopyWith(0.25e-3, 0.9 * 0.25e-3, 32, 32);
  EXPECT_LE(GainOf(use).most, 0.1 + 1e-9);
}

TEST(Gain, WithoutTheDevicesLimitsHasWaitsAlone) {
  KernelUse use = CopyWith(0.25e-3, 0.1 * 0.25e-3, 32, 32);
  use.could_move = Bytes(0);
  use.certain_waits = 0.3;
  const Gain gain = GainOf(use);
  EXPECT_DOUBLE_EQ(gain.least, 0.3);
  EXPECT_NEAR(gain.most, 0.9 * (1 - 8.0 / 68), 1e-9);
}

TEST(Gain, IsNothingWhereNobodyWaitsForWhatIsWasted) {
  KernelUse use = CopyWith(0.25e-3, 0, 32, 32);
  use.could_move = Bytes(0);
  EXPECT_GT(GainOf(use).most, 0.5);
  use.own_waits = 0;
  EXPECT_EQ(GainOf(use), Gain());
}

TEST(MovedFor, ASectorAloneBringsItsNeighbour) {
  EXPECT_EQ(MovedFor(Sectors(32), CacheLines(8)), Bytes(32 * 32));   // whole lines
  EXPECT_EQ(MovedFor(Sectors(32), CacheLines(16)), Bytes(32 * 64));  // every second sector
  EXPECT_EQ(MovedFor(Sectors(32), CacheLines(32)), Bytes(32 * 64));  // one of each line
  EXPECT_EQ(MovedFor(Sectors(5), CacheLines(2)), Bytes(256));
  EXPECT_EQ(MovedFor(Sectors(5), CacheLines(0)), Bytes(160));  // lines were not counted
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_GE(MovedFor(Sectors(most), CacheLines(most)), Bytes(std::uint64_t{1} << 63U));
}

TEST(CouldMove, IsTimeAtThePeakOfTheMemory) {
  const DeviceLimits limits{100, 1e9, 4e12};
  // 100 multiprocessors for 1e6 cycles of a nanosecond: a millisecond.
  EXPECT_EQ(CouldMove(Cycles(100000000), 100, limits), Bytes(4000000000));
  // Noted on one multiprocessor alone the same cycles are a hundred times as long.
  EXPECT_EQ(CouldMove(Cycles(100000000), 1, limits), Bytes(400000000000));
  EXPECT_EQ(CouldMove(Cycles(100000000), 100, {}), Bytes(0));
}

}  // namespace
}  // namespace coalcheck::cost

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

// Two transfers a cycle of 6016 bits at 3201 MHz, as an H200 says of its memory.
constexpr double kPeak = 2 * 3.201e9 * 6016 / 8;
constexpr std::uint64_t kRequests = 524288;  // of 2^24 floats by full warps
constexpr DeviceLimits kH200{132, 1.98e9, kPeak};
constexpr Cycles kPeriod{16384};

// As if so much time were sampled, of which all multiprocessors had a part.
Capacity CapacityOf(double seconds) {
  const double cycles = seconds * kH200.clock_hertz * kH200.multiprocessors;
  return CapacityIn(Cycles(static_cast<std::uint64_t>(cycles)), kPeriod, kH200.multiprocessors,
                    kH200);
}

Counts CountsOf(std::uint64_t sectors, std::uint64_t lines) {
  return {Requests(kRequests), Lanes(32 * kRequests), Sectors(sectors * kRequests),
          Sectors(4 * kRequests), CacheLines(lines * kRequests)};
}

// A kernel that copies 2^24 floats: its loads touch so many sectors and lines a request, or its
// stores do.
KernelUse CopyWith(double seconds, double work_seconds, std::uint64_t sectors, std::uint64_t lines,
                   Direction wasteful) {
  KernelUse use;
  use.work = work_seconds / seconds;
  use.own_waits = 0.5 * (1 - use.work);
  use.capacity = CapacityOf(seconds);
  use.warps = kRequests;
  const Direction other = wasteful == Direction::kLoad ? Direction::kStore : Direction::kLoad;
  use.demands = DemandsOf(CountsOf(4, 1), other, Reuse::kNone);
  use.demands += DemandsOf(CountsOf(sectors, lines), wasteful, Reuse::kNone);
  return use;
}

TEST(Gain, IsARangeBetweenNothingAndEverythingWhateverTheNumbers) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> share(-0.5, 1.5);
  const auto any = [&] { return random() >> (random() % 64); };
  for (int i = 0; i < 100000; ++i) {
    KernelUse use{
        share(random), share(random), share(random), {}, static_cast<double>(any()), {}, 0,
        share(random), i % 2 == 0};
    const std::uint64_t sectors = any();
    use.demands = DemandsOf({Requests(any()), Lanes(any()), Sectors(sectors),
                             Sectors(random() % (sectors + 1)), CacheLines(any())},
                            random() % 2 == 0 ? Direction::kLoad : Direction::kStore,
                            static_cast<Reuse>(random() % 3));
    use.capacity = {Cycles(any()), Cycles(any()), Bytes(any()), share(random)};
    use.doubt = 0.4 * share(random) + 0.2;
    if (i % 7 == 0) use.capacity = {};
    const Gain gain = GainOf(use);
    ASSERT_GE(gain.least, 0) << i;
    ASSERT_LE(gain.least, gain.most) << i;
    ASSERT_LE(gain.most, 1) << i;
  }
}

TEST(Gain, IsNothingWhereARepairMovesAsMuch) {
  KernelUse use = CopyWith(0.25e-3, 0, 4, 1, Direction::kLoad);
  use.own_waits = 0;
  EXPECT_EQ(GainOf(use), Gain());
  use.capacity = {};
  EXPECT_EQ(GainOf(use), Gain());
  EXPECT_EQ(GainOf({}), Gain());
}

TEST(Gain, LeavesTheInstructionsThatSomethingElseThanMemoryWaitsFor) {
  // batch_hash of bench/fix_pairs: of 143 us 41 % issued an instruction, and its repair takes 63 %.
  KernelUse use = CopyWith(0.25e-3, 0, 32, 32, Direction::kStore);
  const Gain without = GainOf(use);
  use.issued = 0.41;
  const Gain with = GainOf(use);
  EXPECT_LE(with.least, 0.37);
  EXPECT_GE(with.most, 0.37);
  EXPECT_GT(without.least, with.most);
  use.issued = 1;
  EXPECT_LT(GainOf(use).most, kNoGainBelow);
}

TEST(Gain, IsLessCertainWhereAWarpWaitsForAnIndexFirst) {
  KernelUse use = CopyWith(1e-3, 0, 32, 32, Direction::kLoad);
  const Gain straight = GainOf(use);
  use.waits_for_index = true;
  EXPECT_LT(GainOf(use).least, straight.least);
  EXPECT_EQ(GainOf(use).most, straight.most);
}

TEST(Gain, OfTheNaiveTransposeIsThatOfTheTiledOne) {
  // 0.2516 ms against 0.0404 ms on an H200; of its samples 2.2 % are work.
  const Gain gain = GainOf(CopyWith(0.2516e-3, 0.022 * 0.2516e-3, 32, 32, Direction::kStore));
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
    const Gain gain =
        GainOf(CopyWith(times.at(stride) * 1e-3, kWork, sectors, lines, Direction::kLoad));
    const double measured = 1 - times.at(1) / times.at(stride);
    EXPECT_LE(gain.least, measured) << stride;
    EXPECT_GE(gain.most, measured) << stride;
    if (gain.most - gain.least > 0.15) ++wide;
  }
  EXPECT_LE(wide, 12);  // the smallest strides, whose time is half what remains
}

TEST(Gain, IsSmallWhereMemoryIsIdle) {
  // Nine tenths of the time wait for wasted sectors, and memory moves a fiftieth of what it could.
  KernelUse use = CopyWith(50 * 0.25e-3, 0, 32, 32, Direction::kLoad);
  use.own_waits = 0.9;
  const Gain gain = GainOf(use);
  EXPECT_LT(gain.most, 0.12);
  EXPECT_LT(gain.least, 0.01);
}

TEST(Gain, NeverExceedsWhatIsNotWork) {
  KernelUse use = CopyWith(0.25e-3, 0.9 * 0.25e-3, 32, 32, Direction::kLoad);
  EXPECT_LE(GainOf(use).most, 0.1 + 1e-9);
}

TEST(Gain, WithoutTheDevicesLimitsHasWaitsAlone) {
  KernelUse use = CopyWith(0.25e-3, 0.1 * 0.25e-3, 32, 32, Direction::kLoad);
  use.capacity = {};
  use.certain_waits = 0.3;
  const Gain gain = GainOf(use);
  EXPECT_DOUBLE_EQ(gain.least, 0.3);
  EXPECT_NEAR(gain.most, 0.9 * (1 - 8.0 / 68), 1e-9);
}

TEST(Gain, IsNothingWhereNobodyWaitsForWhatIsWasted) {
  KernelUse use = CopyWith(0.25e-3, 0, 32, 32, Direction::kLoad);
  use.capacity = {};
  EXPECT_GT(GainOf(use).most, 0.5);
  use.own_waits = 0;
  EXPECT_EQ(GainOf(use), Gain());
}

TEST(Gain, IsSmallWhereWarpsComeAskOnceAndGo) {
  // 62 rounds of warps, each of which waits for memory once, take as long however sectors lie.
  KernelUse use = CopyWith(0.2078e-3 / 4, 0, 5, 2, Direction::kLoad);
  EXPECT_LT(GainOf(use).most, 0.1);
  use.warps /= 4;  // fewer warps would leave it to the memory
  EXPECT_GT(GainOf(use).most, 0.2);
}

TEST(Gain, OfALoadThatKeepsL1BusyIsOfLinesAndNotOfBytes) {
  // A row to each thread: L1 looks 32 lines up for each request, memory sends each byte once.
  KernelUse use;
  use.own_waits = 0.9;
  use.demands = DemandsOf(CountsOf(32, 32), Direction::kLoad, Reuse::kOfTheRest);
  use.capacity = CapacityOf(kRequests * 32 / kH200.clock_hertz / kH200.multiprocessors);
  EXPECT_EQ(BusiestRelieved(use), Part::kL1);
  const Gain gain = GainOf(use);
  EXPECT_GT(gain.least, 0.6);
  use.demands = use.demands * 0.2;  // L1 has room, and nothing else is relieved
  EXPECT_LT(GainOf(use).least, 0.1);
}

TEST(Gain, IsNeverNarrowerForADoubtAboutTheTime) {
  for (int i = 1; i <= 40; ++i) {
    KernelUse use = CopyWith(0.02e-3 * i, 0, 16, 4, Direction::kLoad);
    Gain narrower = GainOf(use);
    for (const double doubt : {0.05, 0.1, 0.2, 0.24}) {
      use.doubt = doubt;
      const Gain wider = GainOf(use);
      // Not every time in between is looked at.
      EXPECT_LE(wider.least, narrower.least + 0.01) << i << " " << doubt;
      EXPECT_GE(wider.most, narrower.most - 0.01) << i << " " << doubt;
      narrower = wider;
    }
  }
}

TEST(Gain, IsOfWaitsAloneWhereTooFewLooksWereTaken) {
  KernelUse use = CopyWith(0.25e-3, 0, 32, 32, Direction::kLoad);
  EXPECT_GT(GainOf(use).least, 0.5);
  use.doubt = kMostDoubt;
  EXPECT_EQ(GainOf(use).least, 0);
}

TEST(Capacity, IsTimeAtThePeakOfTheDevice) {
  const DeviceLimits limits{100, 1e9, 4e12};
  // 100 multiprocessors for 1e6 cycles of a nanosecond: a millisecond.
  const Capacity capacity = CapacityIn(Cycles(100000000), Cycles(1000), 100, limits);
  EXPECT_EQ(capacity.moved, Bytes(4000000000));
  EXPECT_EQ(capacity.busy, Cycles(100000000));
  EXPECT_EQ(capacity.device, Cycles(100000000));
  EXPECT_DOUBLE_EQ(capacity.looks, 1000);
  // Noted on one multiprocessor alone the same cycles are a hundred times as long.
  const Capacity of_one = CapacityIn(Cycles(100000000), Cycles(1000), 1, limits);
  EXPECT_EQ(of_one.moved, Bytes(400000000000));
  EXPECT_EQ(of_one.busy, Cycles(100000000));
  EXPECT_EQ(of_one.device, Cycles(10000000000));
  EXPECT_FALSE(CapacityIn(Cycles(100000000), Cycles(1000), 100, {}).Known());
  EXPECT_FALSE(CapacityIn(Cycles(100000000), Cycles(0), 100, limits).Known());
}

TEST(Doubt, IsLargeForFewLaunchesShorterThanThePeriod) {
  const auto doubt = [](double looks, double launches) {
    return DoubtOf({Cycles(1), Cycles(1), Bytes(1), looks}, launches);
  };
  EXPECT_GT(doubt(1.3, 4), kMostDoubt);   // a third of a period each
  EXPECT_GT(doubt(0.95, 1), kMostDoubt);  // caught by most, which says little of its length
  EXPECT_GE(doubt(4, 4), kMostDoubt);
  EXPECT_LT(doubt(130, 400), 0.1);  // more of them
  EXPECT_LT(doubt(40, 4), 0.1);     // longer ones
  EXPECT_DOUBLE_EQ(doubt(0, 4), 1);
  EXPECT_DOUBLE_EQ(doubt(4, 0), 1);
}

}  // namespace
}  // namespace coalcheck::cost

// SPDX-License-Identifier: Apache-2.0
//
// A kernel's gain and its parts: they add up, and waste that others use has none.
#include "libcoalcheck/findings/cost/kernel_gain.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "libcoalcheck/findings/cost/place_cost.h"

namespace coalcheck::findings {
namespace {

using cost::StallKind;
using patterns::Waste;

// Counted in one launch of five, all of one pattern.
Access ChargedAccess(std::uint64_t requests, std::uint64_t sectors, std::uint64_t ideal,
                     Waste waste, Cycles waited) {
  Access access;
  access.kernel = "k";
  access.counts = {Requests(requests), Lanes(32 * requests), Sectors(sectors * requests),
                   Sectors(ideal * requests), CacheLines(sectors * requests)};
  access.patterns = {{{}, access.counts, Bytes(4), waste}};
  access.launches_checked = Launches(1);
  access.launches = Launches(5);
  access.threads_share = 0.2;
  access.cost.emplace();
  access.cost->stalls[StallKind::kLongScoreboard] = {waited, Cycles(0)};
  return access;
}

// All of them, to be repaired so that each request touches what it needs.
std::vector<Repaired> Ideally(std::vector<Access>& accesses) {
  std::vector<Repaired> all;
  for (Access& access : accesses) all.push_back({&access, nullptr});
  return all;
}

// Of a device whose memory is what is busy: the other parts have time enough.
cost::Capacity CapacityFor(Bytes moved) {
  return {Cycles(1000000000), Cycles(1000000000), moved, 1000};
}

// A device that could have moved twice what the accesses ask of it; all that its warps do is wait.
KernelTime Busy(Bytes traffic) {
  return {{Cycles(1000), Cycles(1000)}, Cycles(20), CapacityFor(Bytes(2 * traffic.count())), 0, 4};
}

TEST(KernelGain, OfAKernelThatIssuesInstructionsAllTheTimeIsNone) {
  std::vector<Access> accesses{ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  KernelTime time = Busy(Bytes(1000 * 32 * 32));
  time.capacity.moved = Bytes(1000 * 32 * 32);
  EXPECT_GT(GiveGain("k", time, Ideally(accesses)).gain->least, 0.3);
  time.all.exposed = Cycles(1);
  EXPECT_LT(GiveGain("k", time, Ideally(accesses)).gain->most, 0.01);
}

TEST(KernelGain, PartsAddUpToTheKernelsWhateverTheAccesses) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::vector<Access> accesses;
    for (std::uint64_t k = random() % 6; k > 0; --k) {
      const std::uint64_t ideal = 1 + random() % 16;
      accesses.push_back(ChargedAccess(random() % 1000, ideal + random() % 17, ideal,
                                       static_cast<Waste>(random() % 4), Cycles(random() % 200)));
    }
    KernelTime time{{Cycles(1200), Cycles(random() % 1200)},
                    Cycles(random() % 200),
                    CapacityFor(Bytes(random() % 10000000)),
                    static_cast<double>(random() % 100000),
                    4};
    if (i % 3 == 1) time.capacity.busy = Cycles(1 + random() % 100000);
    if (i % 3 == 2) time.capacity.device = Cycles(1 + random() % 100000);
    const KernelCost kernel = GiveGain("k", time, Ideally(accesses));
    double least = 0;
    double most = 0;
    bool any_waste = false;
    for (const Access& access : accesses) {
      EXPECT_GE(access.cost->gain->least, 0);
      EXPECT_LE(access.cost->gain->least, access.cost->gain->most);
      least += access.cost->gain->least;
      most += access.cost->gain->most;
      any_waste = any_waste || access.counts.Wasted() > Sectors(0);
      if (access.counts.Wasted() == Sectors(0)) {
        EXPECT_EQ(access.cost->gain, Gain());
      }
    }
    EXPECT_LE(kernel.gain->most, 1);
    EXPECT_NEAR(least, any_waste ? kernel.gain->least : 0, 1e-9);
    EXPECT_NEAR(most, any_waste ? kernel.gain->most : 0, 1e-9);
    if (!any_waste) {
      EXPECT_EQ(kernel.gain, Gain());
    }
  }
}

// As ChargedAccess' accesses, of which a request touches so many sectors after the change.
AccessChange ChangeTo(double after) {
  return {0, {1000, 32000, 32000, 4000, 32000}, {1000, 32000, after * 1000, 4000, after * 1000}};
}

Gain GainOfChange(std::vector<Access>& accesses, const AccessChange& change) {
  return *GiveGain("k", Busy(Bytes(4 * 1000 * 32 * 32)), {{&accesses[0], &change}}).gain;
}

TEST(KernelGain, IsOfTheChangeThatIsAdvisedAndNotOfAllThatIsWasted) {
  std::vector<Access> accesses{ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  const Gain ideal = *GiveGain("k", Busy(Bytes(4 * 1000 * 32 * 32)), Ideally(accesses)).gain;
  const Gain half = GainOfChange(accesses, ChangeTo(16));
  EXPECT_LT(half.most, ideal.least);
  EXPECT_GT(half.most, 0.1);
  EXPECT_EQ(GainOfChange(accesses, ChangeTo(32)), Gain());
  EXPECT_EQ(GainOfChange(accesses, ChangeTo(48)), Gain());
  AccessChange whole = ChangeTo(4);
  whole.after.lines = 1000;
  EXPECT_EQ(GainOfChange(accesses, whole), ideal);
}

TEST(KernelGain, IsNotKnownOnADeviceThatNobodyMeasured) {
  std::vector<Access> accesses{ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  KernelTime time = Busy(Bytes(1000 * 32 * 32));
  time.has_prices = false;
  EXPECT_FALSE(GiveGain("k", time, Ideally(accesses)).gain);
  EXPECT_FALSE(accesses[0].cost->gain);
}

TEST(KernelGain, OfWasteThatSiblingsUseIsNoneWhereMemoryIsBusy) {
  std::vector<Access> accesses = {ChargedAccess(1000, 12, 4, Waste::kShared, Cycles(900))};
  const KernelCost kernel = GiveGain("k", Busy(Bytes(4 * 1000 * 12 * 32)), Ideally(accesses));
  EXPECT_LT(kernel.gain->most, 0.01);
  accesses[0].patterns[0].waste = Waste::kWasted;
  EXPECT_GT(GiveGain("k", Busy(Bytes(4 * 1000 * 12 * 32)), Ideally(accesses)).gain->most, 0.3);
}

TEST(KernelGain, OfWasteThatSiblingsUseIsOfTheAccessesWhereL1Is) {
  std::vector<Access> accesses = {ChargedAccess(1000, 16, 1, Waste::kShared, Cycles(900)),
                                  ChargedAccess(1000, 4, 4, Waste::kUnknown, Cycles(50))};
  KernelTime time = Busy(Bytes(1 << 30));
  time.capacity.busy = Cycles(4 * 1000 * 20);  // as many as the lines that are looked up
  const KernelCost kernel = GiveGain("k", time, Ideally(accesses));
  EXPECT_GT(kernel.gain->least, 0.3);
  EXPECT_DOUBLE_EQ(accesses[0].cost->gain->least, kernel.gain->least);
  EXPECT_EQ(accesses[1].cost->gain->most, 0);
}

// As the wasteful kernel of bench/fix_pairs/l1_resident.cu: a table of 16 KB, a line for each lane.
TEST(KernelGain, OfATableThatAllBlocksReadIsWhatL1IsSpared) {
  std::vector<Access> accesses = {ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  Instruction instruction;
  instruction.counts = accesses[0].counts;
  instruction.address.reach = {Bytes(31 * 512), Bytes(4)};
  accesses[0].instructions = {instruction};
  // Memory could not have moved a third of what is touched.
  KernelTime time = Busy(Bytes(4 * 1000 * 64 * 32 / 6));
  time.capacity.busy = Cycles(4 * 1000 * 33);  // hardly more than the lines that are looked up
  EXPECT_LT(GiveGain("k", time, Ideally(accesses)).gain->most, 0.93);
  accesses[0].threads_checked = 1000.0 / 128 * 32;  // 128 rounds of a loop
  const Gain gain = *GiveGain("k", time, Ideally(accesses)).gain;
  EXPECT_GT(gain.least, 0.93);
  EXPECT_LT(gain.most, 0.975);
  // More rounds than L1 keeps bytes for: memory is asked again.
  accesses[0].instructions[0].address.reach = {Bytes(31 * 512), Bytes(4096)};
  EXPECT_LT(GiveGain("k", time, Ideally(accesses)).gain->most, 0.93);
}

TEST(KernelGain, IsOfTheLaunchesThatWereSampledAndNotOfTheCountedOne) {
  std::vector<Access> accesses = {ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  const Bytes one_launch(1000 * 64 * 32);
  const KernelCost kernel = GiveGain(
      "k", {{Cycles(1000), {}}, Cycles(20), CapacityFor(Bytes(8 * one_launch.count())), 0, 4},
      Ideally(accesses));
  ASSERT_TRUE(kernel.memory_share.has_value());
  EXPECT_DOUBLE_EQ(*kernel.memory_share, 0.5);  // four launches of eight times one's traffic
}

TEST(KernelGain, ALaunchOfALargerGridMovedMore) {
  std::vector<Access> accesses = {ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  accesses[0].threads_share = 1.0 / 41;  // the counted launch had a tenth of the others' blocks
  const Bytes one_launch(1000 * 64 * 32);
  const KernelCost kernel = GiveGain(
      "k", {{Cycles(1000), {}}, Cycles(20), CapacityFor(Bytes(80 * one_launch.count())), 0, 4},
      Ideally(accesses));
  ASSERT_TRUE(kernel.memory_share.has_value());
  EXPECT_NEAR(*kernel.memory_share, 0.5, 1e-6);
}

TEST(KernelGain, HasNoShareOfMemoryWhereALaunchsSizeIsNotKnown) {
  std::vector<Access> accesses = {ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  accesses[0].threads_share = 0;
  EXPECT_FALSE(GiveGain("k", Busy(Bytes(1 << 30)), Ideally(accesses)).memory_share.has_value());
}

TEST(KernelGain, HasNoShareOfMemoryWhereEveryLaunchWasCounted) {
  std::vector<Access> accesses = {ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(900))};
  accesses[0].launches = Launches(1);
  accesses[0].threads_share = 1;
  const KernelCost kernel = GiveGain("k", Busy(Bytes(1 << 30)), Ideally(accesses));
  EXPECT_FALSE(kernel.memory_share.has_value());
  EXPECT_GT(kernel.gain->most, 0.5);  // waits alone
  EXPECT_EQ(kernel.gain->least, 0);
}

// Each access a finding of its own, in a program that was sampled.
Report ReportOf(std::vector<Access> accesses) {
  Report report;
  report.cost.emplace();
  report.accesses = std::move(accesses);
  for (std::size_t i = 0; i < report.accesses.size(); ++i) {
    Place& place = report.places.emplace_back();
    place.is_finding = true;
    place.accesses = {i};
    place.counted = 1;
    place.counts = report.accesses[i].counts;
  }
  return report;
}

TEST(KernelGain, WhatOthersUseStandsBehindWhatNobodyDoes) {
  Report report = ReportOf({ChargedAccess(1000, 32, 4, Waste::kShared, Cycles(900)),
                            ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(300))});
  OrderByCost(report);
  EXPECT_EQ(report.places.front().accesses.front(), 1);
}

TEST(KernelGain, WhatWasNeverSampledIsNotTakenForCheap) {
  Report report = ReportOf({ChargedAccess(10, 8, 4, Waste::kWasted, Cycles(20)),
                            ChargedAccess(1000, 32, 4, Waste::kWasted, Cycles(0))});
  report.accesses[0].cost->kernel.all = Cycles(1000);
  OrderByCost(report);
  EXPECT_EQ(report.places.front().accesses.front(), 1);
  report.accesses[1].cost->kernel.all = Cycles(1000);  // sampled, and nobody waited
  OrderByCost(report);
  EXPECT_EQ(report.places.front().accesses.front(), 0);
}

}  // namespace
}  // namespace coalcheck::findings

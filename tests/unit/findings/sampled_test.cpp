// SPDX-License-Identifier: Apache-2.0
//
// Of which kernels the samples are those of all launches, and what is said of the others.
#include "libcoalcheck/findings/sums/sampled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A run whose store was counted in one of five launches, and the others sampled.
recording::RecordedRun SampledRun() {
  recording::RecordedRun run = MakeRun();
  recording::Device& device = run.devices.emplace_back();
  device.multiprocessors = 100;
  device.compute_major = 9;
  device.clock_khz = device.memory_clock_khz = 1'000'000;
  device.memory_bus_bits = 4096;
  run.windows = {MakeWindow(1, "copy", {MakeRow(16, 1000, 32, 4)})};
  run.windows[0].inside[0].shape = {"copy", {128, 1, 1}, {32, 1, 1}, {}};
  run.tallies = {{{"copy", {128, 1, 1}, {32, 1, 1}, {}}, Launches(5), Launches(1), {}}};
  recording::PcSampling& sampling = run.pc_samplings.emplace_back();
  sampling.period = Cycles(1024);
  sampling.reasons = {"smsp__pcsamp_warps_issue_stalled_long_scoreboard"};
  run.pc_samples.emplace_back().functions = {
      {kCubin, "copy", {{PcOffset(16), StallReason(0), Samples(100000)}}}};
  return run;
}

recording::RecordedRun RunWithoutSamples() {
  recording::RecordedRun run = SampledRun();
  run.pc_samples.clear();
  return run;
}

class SampledTest : public ::testing::Test {
 protected:
  SampledTest() {
    code_.Add(kCubin, "copy").accesses = {
        MakeAccess(16, cubin::AccessKind::kStore, {{"copy", kSource, 2}})};
  }
  KernelCost CostOf(const std::vector<recording::RecordedRun>& runs) {
    const Report report = ReportOn(runs, code_, sources_);
    return report.cost.value().kernels.at(0);
  }

  FakeCode code_;
  FakeSources sources_;
};

TEST_F(SampledTest, ARunSampledThroughoutHasAShareOfMemory) {
  EXPECT_TRUE(CostOf({SampledRun()}).memory_share.has_value());
  const double once = *CostOf({SampledRun()}).memory_share;
  EXPECT_NEAR(*CostOf({SampledRun(), SampledRun()}).memory_share, once, 1e-9);
}

TEST_F(SampledTest, OfADeviceWhosePricesNobodyMeasuredNeitherShareNorGainIsKnown) {
  recording::RecordedRun run = SampledRun();
  EXPECT_TRUE(CostOf({run}).gain.has_value());
  run.devices[0].compute_major = 8;
  EXPECT_FALSE(CostOf({run}).memory_share.has_value());
  EXPECT_FALSE(CostOf({run}).gain.has_value());
  run.devices[0].compute_major = 9;
  run.devices[0].compute_minor = 1;
  EXPECT_FALSE(CostOf({run}).memory_share.has_value());
  EXPECT_FALSE(CostOf({SampledRun(), run}).gain.has_value());
}

TEST_F(SampledTest, LaunchesOfAProcessThatWasNotSampledAreNotHeldAgainstTheTimeOfOthers) {
  EXPECT_FALSE(CostOf({SampledRun(), RunWithoutSamples()}).memory_share.has_value());
  EXPECT_FALSE(CostOf({RunWithoutSamples(), SampledRun()}).memory_share.has_value());
}

TEST_F(SampledTest, WhatWasCountedInEveryLaunchNeedsNoSamples) {
  recording::RecordedRun other = RunWithoutSamples();
  other.tallies[0].launches = Launches(1);
  EXPECT_TRUE(CostOf({SampledRun(), other}).memory_share.has_value());
}

TEST_F(SampledTest, AKernelOfWhichSamplesWereLostHasNoShareOfMemory) {
  recording::RecordedRun run = SampledRun();
  run.losses.push_back({"pc_samples_lost", "the buffer was full", 1});
  EXPECT_FALSE(CostOf({run}).memory_share.has_value());
}

TEST(Sampled, NamesTheKernelsOfAProcessThatWasKilled) {
  recording::RecordedRun run = SampledRun();
  Sampled whole;
  AddSamples(run, whole);
  EXPECT_THAT(whole.sampled_in_part, IsEmpty());
  run.end.reset();
  run.tallies.clear();
  Sampled killed;
  AddSamples(run, killed);
  EXPECT_THAT(killed.sampled_in_part, ElementsAre("copy"));
}

}  // namespace
}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// When the agent samples program counters, what becomes of the samples, and what it does where it
// cannot.
#include "injection/agent/sampling/stall_sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/agent/one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

agent::SampledPc At(std::uint32_t pc, std::uint64_t samples) {
  return {CubinId(1), "a", PcOffset(pc), {{StallReason(0), Samples(samples)}}};
}

// Samples in rows.
std::uint64_t Placed(const recording::RecordedRun& run) {
  Samples sum;
  for (const recording::PcSamples& batch : run.pc_samples) {
    for (const recording::FunctionSamples& function : batch.functions) {
      for (const recording::SampleRow& row : function.rows) sum += row.samples;
    }
  }
  return sum.count();
}

class StallSampling : public OneContext {
 protected:
  void Start(const std::string& options = "") { OneContext::Start("--cost auto " + options); }
  SimulatedSampler& sampler() { return program_->sampler(); }
  void Tick(std::chrono::milliseconds later = 250ms) {
    clock_.Advance(later);
    program_->agent().Tick();
  }
};

TEST_F(StallSampling, ItBeginsWithTheContextBeforeAnyCodeIsLoaded) {
  Start();
  EXPECT_TRUE(sampler().IsSampled(context_));
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.pc_samplings, SizeIs(1));
  EXPECT_EQ(run.pc_samplings[0].period, Cycles(262144));
  EXPECT_EQ(run.pc_samplings[0].context, ContextId(1));
  EXPECT_THAT(run.pc_samplings[0].reasons,
              ElementsAre("stalled_long_scoreboard", "stalled_lg_throttle"));
  EXPECT_THAT(Losses(run), IsEmpty());
}

TEST_F(StallSampling, InAContextThatIsMadeButNotCurrentItBeginsBeforeItsFirstCode) {
  program_.emplace(clock_, "--cost auto");
  context_ = program_->CreateContext(0, false);
  EXPECT_FALSE(sampler().IsSampled(context_));
  program_->ChangeCode(10us, context_);
  EXPECT_TRUE(sampler().IsSampled(context_));
  const agent::ContextHandle other = program_->CreateContext(1, false);
  program_->LaunchPlain(other, program_->CreateStream(other), "a");
  EXPECT_TRUE(sampler().IsSampled(other));
}

TEST_F(StallSampling, ItsTurnIsNotWaitedForForEver) {
  program_.emplace(clock_, "--cost auto");
  context_ = program_->CreateContext(0, false);
  stream_ = program_->CreateStream(context_);
  const agent::StreamHandle capturing = program_->CreateStream(context_);
  ASSERT_TRUE(program_->BeginCapture(context_, capturing));
  for (int i = 0; i < 5; ++i) Launch("a");
  program_->EndCapture(context_, capturing);
  Launch("a");
  EXPECT_FALSE(sampler().IsSampled(context_));
  EXPECT_THAT(Losses(End()),
              Contains("no_pc_sampling: other threads kept launching, loading code or capturing"));
}

TEST_F(StallSampling, TheTickOfAThreadMeetsTheBeginningOfTheRecording) {
  program_.emplace(clock_, "--cost auto");
  std::atomic<bool> stop{false};
  std::thread ticking([&] {
    while (!stop) program_->agent().Tick();
  });
  context_ = program_->CreateContext();
  stream_ = program_->CreateStream(context_);
  Launch("a");
  stop = true;
  ticking.join();
  Launch("a");  // counted where the first one found the gate busy
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(StallSampling, SwitchedOffNothingIsSampled) {
  Start("--cost off");
  EXPECT_FALSE(sampler().IsSampled(context_));
  Launch("a");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.pc_samplings, IsEmpty());
  EXPECT_THAT(Losses(run), IsEmpty());
}

TEST_F(StallSampling, WhatCameInWhileTheProgramRanAndWhatWasLeftIsWritten) {
  Start();
  Launch("a");
  sampler().Sample(context_, At(16, 10));
  Tick();
  sampler().Sample(context_, At(16, 5));
  sampler().Sample(context_, At(32, 1));
  sampler().SampleElsewhere(context_, Samples(7));
  sampler().LoseSight(context_, Samples(3));
  const recording::RecordedRun run = End();
  EXPECT_EQ(Placed(run), 16U);
  Samples elsewhere;
  Samples unplaced;
  for (const recording::PcSamples& batch : run.pc_samples) {
    EXPECT_EQ(batch.sampling, run.pc_samplings.at(0).sampling);
    elsewhere += batch.elsewhere;
    unplaced += batch.unplaced;
  }
  EXPECT_EQ(elsewhere, Samples(7));
  EXPECT_EQ(unplaced, Samples(3));
  EXPECT_FALSE(sampler().IsSampled(context_));
}

TEST_F(StallSampling, ALongRunIsWrittenEverMoreRarely) {
  Start();
  for (int i = 0; i < 4 * 600; ++i) {  // ten minutes
    sampler().Sample(context_, At(16, 1));
    Tick();
  }
  const recording::RecordedRun run = End();
  EXPECT_EQ(Placed(run), 2400U);
  EXPECT_GE(run.pc_samples.size(), 10U);
  EXPECT_LE(run.pc_samples.size(), 20U);
}

TEST_F(StallSampling, MoreThanTheTableHoldsIsWrittenInBetween) {
  Start();
  constexpr std::uint32_t kReasons = 1000;
  constexpr std::uint32_t kPcs = 50;
  static_assert(kReasons * kPcs > agent::SampleTable::kMostRows);
  for (std::uint32_t pc = 0; pc < kPcs; ++pc) {
    agent::SampledPc sampled = At(16 * pc, 1);
    for (std::uint32_t reason = 1; reason < kReasons; ++reason) {
      sampled.stalls.emplace_back(StallReason(reason), Samples(1));
    }
    sampler().Sample(context_, sampled);
  }
  Tick();
  EXPECT_EQ(Placed(End()), kReasons * kPcs);
}

TEST_F(StallSampling, WhatWasWrittenSurvivesAKill) {
  Start();
  sampler().Sample(context_, At(16, 4));
  Tick(1100ms);
  EXPECT_EQ(Placed(program_->Read()), 4U);
}

TEST_F(StallSampling, MissingPermissionCostsTheSamplesAndNothingElse) {
  program_.emplace(clock_, "--cost auto");
  sampler().SetFaults({.begin = "cuptiPCSamplingEnable: INSUFFICIENT_PRIVILEGES (35)"});
  context_ = program_->CreateContext();
  stream_ = program_->CreateStream(context_);
  Launch("a");
  Launch("b");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Losses(run),
              ElementsAre("no_pc_sampling: cuptiPCSamplingEnable: INSUFFICIENT_PRIVILEGES (35)"));
}

TEST_F(StallSampling, NoBufferWhereTheDeviceIsShortOfMemory) {
  program_.emplace(clock_, "--cost auto");
  sampler().SetFreeMemory(Bytes(20 << 20));
  context_ = program_->CreateContext();
  EXPECT_FALSE(sampler().IsSampled(context_));
  EXPECT_THAT(Losses(End()), ElementsAre("no_pc_sampling: the device is short of memory"));
}

TEST_F(StallSampling, TheBufferIsASixteenthOfWhatIsFreeAtMost) {
  program_.emplace(clock_, "--cost auto");
  sampler().SetFreeMemory(Bytes(160 << 20));
  context_ = program_->CreateContext();
  EXPECT_EQ(sampler().last_buffer(), Bytes(10 << 20));
}

TEST_F(StallSampling, ASecondContextOfADeviceIsNotSampledButOneOfAnotherDeviceIs) {
  Start();
  const agent::ContextHandle second = program_->CreateContext(0);
  const agent::ContextHandle elsewhere = program_->CreateContext(1);
  EXPECT_FALSE(sampler().IsSampled(second));
  EXPECT_TRUE(sampler().IsSampled(elsewhere));
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.pc_samplings, SizeIs(2));
  EXPECT_THAT(Losses(run), Contains(HasSubstr("a second context of a device")));
}

TEST_F(StallSampling, TheNextContextOfADeviceIsSampledWhenTheFirstIsGone) {
  Start();
  sampler().Sample(context_, At(16, 2));
  program_->DestroyContext(context_);
  EXPECT_FALSE(sampler().IsSampled(context_));
  context_ = program_->CreateContext();
  sampler().Sample(context_, At(16, 3));
  const recording::RecordedRun run = End();
  EXPECT_EQ(Placed(run), 5U);
  ASSERT_THAT(run.pc_samplings, SizeIs(2));
  EXPECT_NE(run.pc_samplings[0].sampling, run.pc_samplings[1].sampling);
}

TEST_F(StallSampling, AFullBufferEndsTheStretchAndIsALoss) {
  Start();
  sampler().SetMostSamples(Samples(10));
  sampler().Sample(context_, At(16, 8));
  sampler().Sample(context_, At(16, 8));
  Tick();
  const std::uint64_t reads = sampler().reads();
  Tick();
  EXPECT_EQ(sampler().reads(), reads);
  const recording::RecordedRun run = End();
  EXPECT_EQ(Placed(run), 8U);
  EXPECT_THAT(Losses(run), Contains(HasSubstr("pc_samples_lost: the buffer of samples was full")));
}

TEST_F(StallSampling, WhenReadingFailsWhatWasReadIsKept) {
  Start();
  sampler().Sample(context_, At(16, 8));
  Tick();
  sampler().SetFaults({.read = "it broke"});
  Tick();
  sampler().SetFaults({});
  Launch("a");
  const recording::RecordedRun run = End();
  EXPECT_EQ(Placed(run), 8U);
  EXPECT_THAT(Losses(run), ElementsAre("no_pc_sampling: it broke"));
  EXPECT_THAT(run.windows, SizeIs(1));
}

TEST_F(StallSampling, OneReadTakesNoLongerThanItMay) {
  Start();
  sampler().SetReadTime(8ms);
  for (std::uint32_t pc = 0; pc < 400; ++pc) sampler().Sample(context_, At(16 * pc, 1));
  const auto start = clock_.Now();
  Tick(0ms);
  EXPECT_LE(clock_.Now() - start, agent::StallSampling::kLongestRead + 8ms);
  sampler().SetReadTime(0us);
  EXPECT_EQ(Placed(End()), 400U);
}

TEST_F(StallSampling, AKernelThatDoesNotEndCostsTheLastSamplesAndNoWait) {
  Start();
  std::atomic<bool> ends{false};
  Launch("a");
  program_->Launch(context_, stream_, {{"a", 0us, [&ends] { return ends.load(); }}});
  sampler().Sample(context_, At(16, 8));
  const auto start = clock_.Now();
  const recording::RecordedRun run = program_->End();
  EXPECT_LE(clock_.Now() - start, 200ms);
  EXPECT_EQ(Placed(run), 8U);
  EXPECT_THAT(Losses(run), Contains(HasSubstr("pc_samples_lost: the last samples")));
  ends = true;
}

TEST_F(StallSampling, NothingIsReadWhileAStreamCaptures) {
  Start();
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  const std::uint64_t reads = sampler().reads();
  Tick();
  EXPECT_EQ(sampler().reads(), reads);
  program_->EndCapture(context_, stream_);
  Tick();
  EXPECT_GT(sampler().reads(), reads);
}

TEST_F(StallSampling, AForkedChildLeavesItAlone) {
  Start();
  sampler().Sample(context_, At(16, 8));
  program_->agent().Forked();
  const std::uint64_t reads = sampler().reads();
  Tick();
  EXPECT_EQ(sampler().reads(), reads);
  EXPECT_TRUE(sampler().IsSampled(context_));
}

TEST_F(StallSampling, GivingCuptiBackEndsIt) {
  Start();
  Launch("a");
  sampler().Sample(context_, At(16, 8));
  ASSERT_TRUE(program_->agent().TryRelease());
  EXPECT_FALSE(sampler().IsSampled(context_));
  EXPECT_EQ(Placed(program_->Read()), 8U);
}

TEST_F(StallSampling, ManyThreadsLaunchLoadAndSampleWithoutHarm) {
  program_.emplace(clock_, "--cost auto --sampling all");
  context_ = program_->CreateContext();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([this, i] {
      const agent::StreamHandle stream = program_->CreateStream(context_);
      for (int step = 0; step < 60; ++step) {
        if (step % 3 == i) program_->ChangeCode(50us);
        program_->LaunchPlain(context_, stream, "a");
        sampler().Sample(context_, At(16, 1));
        if (i == 0) program_->agent().Tick();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Placed(End()), 180U);
}

}  // namespace
}  // namespace coalcheck::testing

// SPDX-License-Identifier: Apache-2.0
//
// The parts of a context under watch: how often it is asked, what it is asked, and its gate.
#include <gtest/gtest.h>

#include "injection/agent/windows/context_gate.h"
#include "injection/agent/windows/context_streams.h"
#include "injection/agent/windows/idle_backoff.h"
#include "injection/agent/windows/sampling_turns.h"
#include "tests/support/fake_clock.h"
#include "tests/support/simulated_device.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
constexpr agent::ContextHandle kContext(1);
constexpr agent::StreamHandle kStream(0x10);

TEST(IdleBackoff, AfterEachMissTwiceAsManyLaunchesGoByUnasked) {
  agent::IdleBackoff backoff;
  for (const int unasked : {2, 4, 8}) {
    EXPECT_FALSE(backoff.TooSoon());
    backoff.Missed(backoff.misses());
    for (int i = 0; i < unasked; ++i) {
      EXPECT_TRUE(backoff.TooSoon());
      backoff.CountLaunch();
    }
  }
  EXPECT_FALSE(backoff.TooSoon());
}

TEST(IdleBackoff, TriesThatFailTogetherCountOnce) {
  agent::IdleBackoff backoff;
  const std::uint64_t one = backoff.misses();
  const std::uint64_t other = backoff.misses();
  backoff.Missed(one);
  backoff.Missed(other);
  EXPECT_EQ(backoff.misses(), 1U);
}

TEST(IdleBackoff, BeginsAnewOnceTheContextWasIdle) {
  agent::IdleBackoff backoff;
  backoff.Missed(backoff.misses());
  backoff.FoundIdle();
  EXPECT_EQ(backoff.misses(), 0U);
}

TEST(SamplingTurns, AreOverOnceSamplingWasTriedOrHasMissedThree) {
  agent::SamplingTurns tried;
  tried.Tried();
  EXPECT_FALSE(tried.left());
  agent::SamplingTurns missed;
  EXPECT_FALSE(missed.Missed());
  EXPECT_FALSE(missed.Missed());
  EXPECT_TRUE(missed.left());
  EXPECT_TRUE(missed.Missed()) << "the last";
  EXPECT_FALSE(missed.left());
}

class Streams : public ::testing::Test {
 protected:
  Streams() {
    device_.PutOn(kContext, 0);
    device_.CreateStream(kContext, kStream, StreamType::kNonBlocking);
    streams_.Add(kStream);
  }

  FakeClock clock_;
  SimulatedDevice device_{clock_};
  agent::CaptureSet captures_;
  agent::ContextStreams streams_{kContext, device_, clock_, captures_};
};

TEST_F(Streams, AreIdleWhenWhatWasLaunchedHasEndedInTime) {
  device_.Launch(kContext, kStream, {"a", 300us});
  EXPECT_FALSE(streams_.AllIdle());
  EXPECT_TRUE(streams_.WaitIdle(10ms));
  device_.Launch(kContext, kStream, {"a", 20ms});
  EXPECT_FALSE(streams_.WaitIdle(10ms));
}

TEST_F(Streams, AreNotAskedWhileOneCaptures) {
  const std::uint64_t asked = device_.queries();
  captures_.Began(kStream);
  EXPECT_FALSE(streams_.WaitIdle(10ms));
  EXPECT_FALSE(streams_.AllIdle());
  EXPECT_EQ(device_.queries(), asked);
}

TEST_F(Streams, ThatAreGoneAreNotAskedAgain) {
  device_.DestroyStream(kContext, kStream);
  EXPECT_TRUE(streams_.AllIdle());
  const std::uint64_t asked = device_.queries();
  EXPECT_TRUE(streams_.AllIdle());
  EXPECT_EQ(device_.queries(), asked);
}

class GateOfContext : public ::testing::Test {
 protected:
  FakeClock clock_;
  agent::CaptureSet captures_;
  agent::CodeChanges changes_;
  agent::ContextGate gate_{clock_, captures_, changes_, 50ms};
};

TEST_F(GateOfContext, WhoeverHasItAloneKeepsCodeFromChangingUntilItIsLeft) {
  {
    const agent::HeldGate held = gate_.EnterAlone(0ms);
    ASSERT_TRUE(held);
    EXPECT_TRUE(changes_.KeptOutBy(1));
    EXPECT_FALSE(gate_.Pass());
  }
  EXPECT_TRUE(changes_.KeptOutBy(0));
  EXPECT_TRUE(gate_.Pass());
}

TEST_F(GateOfContext, IsNotEnteredAloneBesideALaunchACodeChangeOrACapture) {
  ASSERT_TRUE(gate_.Pass());
  EXPECT_FALSE(gate_.EnterAlone(10ms));
  gate_.Leave();
  changes_.Begin(clock_, 0ms);
  EXPECT_FALSE(gate_.EnterAlone(10ms));
  changes_.End();
  captures_.Began(kStream);
  EXPECT_FALSE(gate_.EnterAlone(10ms));
  captures_.Ended(kStream);
  EXPECT_TRUE(gate_.EnterAlone(10ms));
  EXPECT_TRUE(changes_.KeptOutBy(0)) << "nothing is left behind by those that failed";
}

TEST_F(GateOfContext, WhatAsksNothingOfTheDeviceNeedsOnlyThatNobodyIsInside) {
  changes_.Begin(clock_, 0ms);
  EXPECT_TRUE(gate_.TryDoBesideChanges([] {}));
  ASSERT_TRUE(gate_.Pass());
  EXPECT_FALSE(gate_.TryDoBesideChanges([] {}));
}

}  // namespace
}  // namespace coalcheck::testing

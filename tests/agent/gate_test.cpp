// SPDX-License-Identifier: Apache-2.0
//
// Who passes the gate with whom, and that every wait ends.
#include "injection/agent/windows/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/support/fake_clock.h"

namespace coalcheck::agent {
namespace {

using namespace std::chrono_literals;
using testing::FakeClock;
using testing::RealClock;

TEST(Gate, ReadersPassTogether) {
  Gate gate;
  FakeClock clock;
  EXPECT_TRUE(gate.EnterShared(clock, 0ms));
  EXPECT_TRUE(gate.EnterShared(clock, 0ms));
  gate.LeaveShared();
  gate.LeaveShared();
}

TEST(Gate, AWriterHasItAlone) {
  Gate gate;
  FakeClock clock;
  ASSERT_TRUE(gate.EnterExclusive(clock, 0ms));
  EXPECT_FALSE(gate.EnterShared(clock, 10ms));
  EXPECT_FALSE(gate.EnterExclusive(clock, 10ms));
  gate.LeaveExclusive();
  EXPECT_TRUE(gate.EnterShared(clock, 0ms));
  EXPECT_FALSE(gate.EnterExclusive(clock, 10ms));
  gate.LeaveShared();
  EXPECT_TRUE(gate.EnterExclusive(clock, 0ms));
}

TEST(Gate, AWaitTakesItsDeadlineAndNotMuchLonger) {
  Gate gate;
  FakeClock clock;
  ASSERT_TRUE(gate.EnterExclusive(clock, 0ms));
  const Clock::TimePoint start = clock.Now();
  EXPECT_FALSE(gate.EnterShared(clock, 100ms));
  EXPECT_GE(clock.Now() - start, 100ms);
  EXPECT_LT(clock.Now() - start, 101ms);
}

TEST(Gate, WithoutPatienceNobodyRests) {
  Gate gate;
  FakeClock clock;
  ASSERT_TRUE(gate.EnterShared(clock, 0ms));
  const Clock::TimePoint start = clock.Now();
  EXPECT_FALSE(gate.EnterExclusive(clock, 0ms));
  EXPECT_EQ(clock.Now(), start);
}

TEST(Gate, AWaitingWriterNeverHoldsReadersBack) {
  Gate gate;
  RealClock clock;
  ASSERT_TRUE(gate.EnterShared(clock, 0ms));  // blocked in the driver, until another one passes
  std::atomic<bool> writer_entered{false};
  std::thread writer([&] {
    writer_entered = gate.EnterExclusive(clock, 10s);
    gate.LeaveExclusive();
  });
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(gate.EnterShared(clock, 0ms)) << "a reader was held back at pass " << i;
    gate.LeaveShared();
    std::this_thread::sleep_for(50us);
  }
  EXPECT_FALSE(writer_entered);
  gate.LeaveShared();
  writer.join();
  EXPECT_TRUE(writer_entered);
}

TEST(Gate, TheThreadThatLeavesNeedNotBeTheOneThatEntered) {
  Gate gate;
  RealClock clock;
  ASSERT_TRUE(gate.EnterExclusive(clock, 0ms));
  std::thread([&] { gate.LeaveExclusive(); }).join();
  EXPECT_TRUE(gate.EnterShared(clock, 0ms));
}

TEST(Gate, WhatAWriterWroteIsSeenByEveryReader) {
  Gate gate;
  RealClock clock;
  std::uint64_t guarded = 0;  // plain: ThreadSanitizer says when the gate does not order it
  std::atomic<std::uint64_t> torn{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        if (i == 0 && gate.EnterExclusive(clock, 10s)) {
          ++guarded;
          ++guarded;
          gate.LeaveExclusive();
        } else if (i != 0 && gate.EnterShared(clock, 10s)) {
          torn += guarded % 2;
          gate.LeaveShared();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(guarded, 400U);
  EXPECT_EQ(torn, 0U);
}

}  // namespace
}  // namespace coalcheck::agent

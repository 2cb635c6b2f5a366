// SPDX-License-Identifier: Apache-2.0
//
// Who keeps whom out, and that no change of the application is ever held for longer than its
// deadline.
#include "injection/agent/code/code_changes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "tests/support/fake_clock.h"

namespace coalcheck::agent {
namespace {

using namespace std::chrono_literals;
using testing::FakeClock;
using testing::RealClock;

// Three threads that do something in turns without a pause, so that one of them is always at it.
class InTurns {
 public:
  // `turn` is true when it did it.
  explicit InTurns(const std::function<bool()>& turn) {
    for (int i = 0; i < 3; ++i) {
      threads_.emplace_back([this, turn] {
        while (!stop_) turns_ += turn() ? 1U : 0U;
      });
    }
    while (turns_ < 3) std::this_thread::yield();
  }
  InTurns(const InTurns&) = delete;
  InTurns& operator=(const InTurns&) = delete;
  ~InTurns() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> turns_{0};
  std::vector<std::thread> threads_;
};

TEST(CodeChanges, ChangesGoOnSideBySide) {
  CodeChanges changes;
  FakeClock clock;
  EXPECT_TRUE(changes.Begin(clock, 0ms));
  EXPECT_TRUE(changes.Begin(clock, 0ms));
}

TEST(CodeChanges, ContextsCountSideBySide) {
  CodeChanges changes;
  EXPECT_TRUE(changes.TryKeepOut());
  EXPECT_TRUE(changes.TryKeepOut());
}

TEST(CodeChanges, NobodyCountsWhileAnyChangeIsUnderWay) {
  CodeChanges changes;
  FakeClock clock;
  changes.Begin(clock, 0ms);
  changes.Begin(clock, 0ms);
  EXPECT_FALSE(changes.TryKeepOut());
  changes.End();
  EXPECT_FALSE(changes.TryKeepOut());
  changes.End();
  EXPECT_TRUE(changes.TryKeepOut());
}

TEST(CodeChanges, AChangeWaitsForAllWhoCountAndForItsDeadlineAtMost) {
  CodeChanges changes;
  FakeClock clock;
  ASSERT_TRUE(changes.TryKeepOut());
  ASSERT_TRUE(changes.TryKeepOut());
  changes.Release();
  const Clock::TimePoint start = clock.Now();
  EXPECT_FALSE(changes.Begin(clock, 100ms));
  EXPECT_GE(clock.Now() - start, 100ms);
  EXPECT_LT(clock.Now() - start, 101ms);
  changes.Release();
  EXPECT_TRUE(changes.Begin(clock, 0ms));
}

TEST(CodeChanges, AChangeThatLostPatienceStillKeepsCountingFromBeginning) {
  CodeChanges changes;
  FakeClock clock;
  ASSERT_TRUE(changes.TryKeepOut());
  EXPECT_FALSE(changes.Begin(clock, 1ms));
  changes.Release();
  EXPECT_FALSE(changes.TryKeepOut());
  changes.End();
  EXPECT_TRUE(changes.TryKeepOut());
}

TEST(CodeChanges, AWaitingChangeIsNotStarvedByThoseWhoCountInTurns) {
  CodeChanges changes;
  RealClock clock;
  const InTurns counting([&changes] {
    if (!changes.TryKeepOut()) return false;
    std::this_thread::sleep_for(200us);
    changes.Release();
    return true;
  });
  for (int i = 0; i < 20 && !::testing::Test::HasFailure(); ++i) {
    EXPECT_TRUE(changes.Begin(clock, 10s));
    changes.End();
  }
}

TEST(CodeChanges, WhoKeepsThemOutMayDoSoOnceMoreWhileAChangeWaits) {
  CodeChanges changes;
  FakeClock clock;
  ASSERT_TRUE(changes.TryKeepOut());
  EXPECT_FALSE(changes.Begin(clock, 0ms));
  changes.KeepOutToo();
  EXPECT_TRUE(changes.KeptOutBy(2));
  changes.Release();
  EXPECT_FALSE(changes.KeptOutBy(0));
  changes.Release();
  EXPECT_TRUE(changes.KeptOutBy(0));
}

TEST(CodeChanges, WhoInsistsIsNotStarvedByThreadsThatChangeCodeInTurns) {
  CodeChanges changes;
  RealClock clock;
  const InTurns changing([&] {
    changes.Begin(clock, 10s);
    std::this_thread::sleep_for(200us);
    changes.End();
    return true;
  });
  for (int i = 0; i < 20 && !::testing::Test::HasFailure(); ++i) {
    EXPECT_TRUE(KeptOut(changes, clock, 10s));
  }
}

TEST(CodeChanges, TheyAreKeptOutAsLongAsTheObjectLives) {
  CodeChanges changes;
  FakeClock clock;
  {
    const KeptOut kept(changes, clock, 0ms);
    EXPECT_TRUE(kept);
    EXPECT_FALSE(changes.Begin(clock, 0ms));
    EXPECT_FALSE(KeptOut(changes, clock, 1ms));
  }
  EXPECT_TRUE(changes.KeptOutBy(0));
}

TEST(CodeChanges, AfterAWaitInVainTheNextIsShortUntilSomebodyLetsThemChangeAgain) {
  CodeChanges changes;
  FakeClock clock;
  const auto wait = [&] {
    const Clock::TimePoint start = clock.Now();
    EXPECT_FALSE(changes.Begin(clock, 100ms));
    changes.End();
    return clock.Now() - start;
  };
  ASSERT_TRUE(changes.TryKeepOut());  // by one who is gone
  EXPECT_GE(wait(), 100ms);
  EXPECT_LT(wait(), 1ms);
  ASSERT_TRUE(changes.TryKeepOut());
  changes.Release();
  EXPECT_GE(wait(), 100ms);
}

TEST(CodeChanges, WhatAChangeDidIsSeenByWhoCountsNext) {
  CodeChanges changes;
  RealClock clock;
  std::uint64_t table = 0;  // plain: ThreadSanitizer says when the two are not kept apart
  std::atomic<std::uint64_t> torn{0};
  std::thread changing([&] {
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(changes.Begin(clock, 10s));
      ++table;
      ++table;
      changes.End();
    }
  });
  for (int i = 0; i < 500; ++i) {
    if (!changes.TryKeepOut()) continue;
    torn += table % 2;
    changes.Release();
  }
  changing.join();
  EXPECT_EQ(torn, 0U);
}

}  // namespace
}  // namespace coalcheck::agent

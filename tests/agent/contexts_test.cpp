// SPDX-License-Identifier: Apache-2.0
//
// All contexts together, and how a thread has them to itself in the middle of a code change.
#include "injection/agent/contexts/contexts.h"

#include <gtest/gtest.h>

#include <thread>

#include "injection/agent/contexts/all_gates.h"
#include "injection/agent/contexts/announced_changes.h"
#include "tests/support/fake_clock.h"
#include "tests/support/simulated_device.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
constexpr agent::ContextHandle kOne(1);
constexpr agent::ContextHandle kOther(2);

class ContextsTest : public ::testing::Test {
 protected:
  std::optional<agent::Contexts::Added> Add(agent::ContextHandle context,
                                            std::uint32_t device = 0) {
    return contexts_.Add(context, DeviceIndex(device), /*countable=*/true, [] { return true; });
  }
  agent::OpenResult Open(agent::ContextHandle context) {
    return contexts_.Find(context)->OpenForMany(WindowId(1), LaunchOrdinal(1),
                                                recording::WindowKind::kGraph);
  }

  FakeClock clock_;
  SimulatedDevice device_{clock_};
  options::AgentOptions options_;
  const agent::Deadlines deadlines_{options_};
  agent::CaptureSet captures_;
  agent::CodeChanges code_changes_;
  agent::Contexts contexts_{{device_, device_, clock_, captures_, code_changes_, deadlines_}};
  agent::Session session_{options_, {}};
  agent::Lifecycle lifecycle_{session_};
  agent::AnnouncedChanges changes_{code_changes_, clock_, deadlines_, lifecycle_};
  agent::AllGates gates_{contexts_, changes_, clock_};
};

TEST_F(ContextsTest, OneIsAddedOnceAndFoundUntilItIsRemoved) {
  ASSERT_TRUE(Add(kOne));
  EXPECT_FALSE(Add(kOne));
  agent::ContextWatch* watch = contexts_.Find(kOne);
  ASSERT_NE(watch, nullptr);
  contexts_.Remove(*watch);
  EXPECT_EQ(contexts_.Find(kOne), nullptr);
  EXPECT_EQ(watch->handle(), kOne) << "a thread may still hold it";
  EXPECT_EQ(contexts_.made(), 1U);
}

TEST_F(ContextsTest, OneWhoseHandleIsGivenToANewContextIsFoundAnewAlsoByAnotherThread) {
  ASSERT_TRUE(Add(kOne));
  agent::ContextWatch* first = contexts_.Find(kOne);
  std::thread([&] {
    contexts_.Remove(*first);
    ASSERT_TRUE(Add(kOne));
  }).join();
  EXPECT_NE(contexts_.Find(kOne), first);
  agent::Contexts others({device_, device_, clock_, captures_, code_changes_, deadlines_});
  EXPECT_EQ(others.Find(kOne), nullptr) << "what is remembered belongs to the contexts it is from";
}

TEST_F(ContextsTest, OneIsNotWatchedWhereTheRecordingCannotBegin) {
  EXPECT_FALSE(contexts_.Add(kOne, DeviceIndex(0), true, [] { return false; }));
  EXPECT_EQ(contexts_.Find(kOne), nullptr);
}

TEST_F(ContextsTest, OnADeviceThatWasClosedNoNewOneCounts) {
  ASSERT_TRUE(Add(kOne, 0));
  EXPECT_EQ(contexts_.CloseDevice(DeviceIndex(0)).contexts.size(), 1U);
  EXPECT_FALSE(Add(kOther, 0)->countable);
  EXPECT_EQ(Open(kOther), agent::OpenResult::kUncountable);
  EXPECT_TRUE(Add(agent::ContextHandle(3), 1)->countable) << "another device";
}

TEST_F(ContextsTest, ADeviceStillCountsOnceAContextWentWithAWindowOpen) {
  ASSERT_TRUE(Add(kOne));
  ASSERT_EQ(Open(kOne), agent::OpenResult::kOpened);
  EXPECT_EQ(contexts_.Waiting().size(), 1U);
  contexts_.Remove(*contexts_.Find(kOne));
  EXPECT_TRUE(contexts_.AnyDeviceStillCounts());
  EXPECT_TRUE(contexts_.CloseDevice(DeviceIndex(0)).still_counts);
  EXPECT_TRUE(contexts_.Waiting().empty());
}

TEST_F(ContextsTest, AllGatesAreHeldOrNone) {
  ASSERT_TRUE(Add(kOne));
  ASSERT_TRUE(Add(kOther));
  ASSERT_TRUE(contexts_.Find(kOther)->gate().Pass());
  EXPECT_FALSE(gates_.DoAlone(10ms, [] { ADD_FAILURE() << "a launch is under way"; }));
  EXPECT_TRUE(contexts_.Find(kOne)->gate().Pass()) << "it was left again";
  contexts_.Find(kOne)->gate().Leave();
  contexts_.Find(kOther)->gate().Leave();
  bool held_both = false;
  EXPECT_TRUE(gates_.DoAlone(10ms, [&] { held_both = code_changes_.KeptOutBy(2); }));
  EXPECT_TRUE(held_both);
}

TEST_F(ContextsTest, AThreadInTheMiddleOfItsOwnCodeChangeDoesNotKeepItselfOut) {
  ASSERT_TRUE(Add(kOne));
  changes_.Begin();
  bool done = false;
  EXPECT_TRUE(gates_.DoAlone(10ms, [&] { done = true; }));
  EXPECT_TRUE(done);
  EXPECT_FALSE(code_changes_.TryKeepOut()) << "it is announced again";
  changes_.End();
  EXPECT_TRUE(code_changes_.TryKeepOut());
}

TEST_F(ContextsTest, CodeChangesOneInsideTheOtherAreOne) {
  changes_.Begin();
  changes_.Begin();
  changes_.End();
  EXPECT_FALSE(code_changes_.TryKeepOut());
  EXPECT_TRUE(agent::AnnouncedChanges::IsUnderWay());
  changes_.End();
  EXPECT_TRUE(code_changes_.TryKeepOut());
}

TEST_F(ContextsTest, AChangeThatHasWaitedInVainIsBesideCountingAndSoIsTheNext) {
  ASSERT_TRUE(code_changes_.TryKeepOut());
  for (int i = 0; i < 2; ++i) {
    changes_.Begin();
    EXPECT_TRUE(agent::AnnouncedChanges::IsBesideCounting());
    changes_.End();
  }
  code_changes_.Release();
  changes_.Begin();
  EXPECT_FALSE(agent::AnnouncedChanges::IsBesideCounting());
  changes_.End();
  EXPECT_FALSE(agent::AnnouncedChanges::IsBesideCounting()) << "none is under way";
}

TEST_F(ContextsTest, NoCodeChangeIsAnnouncedOnceCuptiWasReleased) {
  lifecycle_.ReleasedCupti();
  changes_.Begin();
  EXPECT_TRUE(code_changes_.TryKeepOut());
  changes_.End();
}

TEST_F(ContextsTest, WhatHasEndedStopsForNoErrorAnyMore) {
  EXPECT_FALSE(lifecycle_.stopped());
  lifecycle_.Ended();
  EXPECT_TRUE(lifecycle_.stopped());
  EXPECT_TRUE(lifecycle_.ended());
  ::testing::internal::CaptureStderr();
  lifecycle_.Stop("an error");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace coalcheck::testing

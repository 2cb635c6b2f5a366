// SPDX-License-Identifier: Apache-2.0
//
// The windows of all contexts: what becomes of the launches inside, however a window ends.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "injection/agent/counting/parts.h"
#include "injection/agent/counting/windows.h"
#include "tests/support/simulated_device.h"
#include "tests/support/simulated_sampler.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
constexpr agent::ContextHandle kWatched(1);
constexpr agent::StreamHandle kItsStream(0x10);

// Resting is when other threads do what they do.
class ClockBesideOthers final : public agent::Clock {
 public:
  TimePoint Now() override { return now_; }
  void Rest(std::chrono::microseconds duration) override {
    now_ += duration;
    if (others) std::exchange(others, nullptr)();
  }
  std::function<void()> others;

 private:
  TimePoint now_;
};

class AllWindows : public ::testing::Test {
 protected:
  AllWindows() {
    device_.PutOn(kWatched, 0);
    device_.CreateStream(kWatched, kItsStream, StreamType::kNonBlocking);
    watch_ = parts_.contexts.Add(kWatched, DeviceIndex(0), true, [] { return true; })->watch;
    watch_->streams().Add(kItsStream);
  }

  // Has a kernel in a window that outlives the window's deadline, until `running_` is taken back.
  void OutliveAWindow() {
    ASSERT_EQ(parts_.windows.OpenForLaunch(*watch_, [] { return true; }),
              agent::OpenResult::kOpened);
    parts_.windows.BeginLaunch(*watch_, entry_);
    device_.Launch(kWatched, kItsStream, {"a", 0us, [this] { return !running_; }});
    parts_.windows.EndLaunch(*watch_, entry_, /*succeeded=*/true, 1ms);
  }
  std::uint64_t Failed() const {
    for (const recording::Skipped& skipped : entry_.Tally().skipped) {
      if (skipped.reason == ToString(recording::Skip::kFailed)) return skipped.launches.count();
    }
    return 0;
  }

  ClockBesideOthers clock_;
  SimulatedDevice device_{clock_};
  SimulatedSampler sampler_{device_, clock_};
  agent::RangeBook ranges_;
  agent::SourceBook sources_;
  agent::Parts parts_{{}, {}, {device_, sampler_, device_, device_, ranges_, sources_, clock_}};
  agent::ContextWatch* watch_ = nullptr;
  agent::ShapeEntry entry_{{"a", {}, {}}};
  bool running_ = true;
};

TEST_F(AllWindows, OneThatIsClosedCountsItsLaunches) {
  OutliveAWindow();
  EXPECT_TRUE(parts_.windows.AnyOpen());
  running_ = false;
  parts_.windows.TryClose(*watch_, 0ms);
  EXPECT_FALSE(parts_.windows.AnyOpen());
  EXPECT_EQ(entry_.counted(), Launches(1));
}

TEST_F(AllWindows, OneThatIsDiscardedSkipsThem) {
  OutliveAWindow();
  parts_.windows.CloseOrDiscard(*watch_, "why");
  EXPECT_FALSE(parts_.windows.AnyOpen());
  EXPECT_EQ(entry_.counted(), Launches(0));
  EXPECT_EQ(Failed(), 1U);
}

TEST_F(AllWindows, OneThatAnotherThreadIsAtWorkOnIsDiscardedOnceThatHasLeft) {
  OutliveAWindow();
  ASSERT_TRUE(watch_->gate().Pass());
  // Behind the deadline of closing it.
  clock_.others = [this] {
    clock_.Rest(100ms);
    clock_.others = [this] { watch_->gate().Leave(); };
  };
  parts_.windows.CloseOrDiscard(*watch_, "why");
  EXPECT_FALSE(parts_.windows.AnyOpen());
  EXPECT_EQ(Failed(), 1U);
}

}  // namespace
}  // namespace coalcheck::testing

// SPDX-License-Identifier: Apache-2.0
//
// Code that the driver loads in the middle of a launch.
#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "tests/support/fake_clock.h"
#include "tests/support/simulated_program.h"

namespace coalcheck::testing {
namespace {

TEST(LazyLoading, ALaunchThatLoadsCodeOnOneGpuKeepsCountingFromBeginningOnAnother) {
  FakeClock clock;
  SimulatedProgram program(clock, "--kernel counted");
  const agent::ContextHandle first = program.CreateContext(0);
  const agent::ContextHandle second = program.CreateContext(1);
  const agent::StreamHandle stream = program.CreateStream(first);
  const agent::StreamHandle other = program.CreateStream(second);
  bool loaded = false;
  program.device().LoadLazily([&] {
    if (std::exchange(loaded, true)) return;
    // The simulated device says when counting begins while code is loaded.
    std::thread([&] { program.LaunchPlain(second, other, "counted"); }).join();
  });
  program.LaunchPlain(first, stream, "not counted");
  EXPECT_TRUE(loaded);
  program.LaunchPlain(second, other, "counted");
  program.LaunchPlain(second, other, "counted");
  const recording::RecordedRun run = program.End();
  program.ExpectTrue(run);
  EXPECT_EQ(run.windows.size(), 1U);
}

// Sampling goes on where counting failed, until its context ends.
TEST(LazyLoading, ALaunchInAContextMadeAfterMeasuringStoppedKeepsSamplingFromEndingElsewhere) {
  FakeClock clock;
  SimulatedProgram program(clock, "--cost auto");
  const agent::ContextHandle first = program.CreateContext(0);
  program.device().SetFaults({.enable = "refused"});
  program.LaunchPlain(first, program.CreateStream(first), "counted");
  ASSERT_TRUE(program.agent().stopped());
  ASSERT_TRUE(program.sampler().IsSampled(first));
  const agent::ContextHandle second = program.CreateContext(1);
  bool loaded = false;
  program.device().LoadLazily([&] {
    if (std::exchange(loaded, true)) return;
    // The simulated sampler says when sampling ends while code is loaded.
    std::thread([&] { program.DestroyContext(first); }).join();
  });
  program.LaunchPlain(second, program.CreateStream(second), "loaded late");
  EXPECT_TRUE(loaded);
}

}  // namespace
}  // namespace coalcheck::testing

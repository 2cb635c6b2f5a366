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

}  // namespace
}  // namespace coalcheck::testing

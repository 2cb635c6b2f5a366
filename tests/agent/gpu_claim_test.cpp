// SPDX-License-Identifier: Apache-2.0
//
// Claims on a GPU's samplers, within a process and between two.
#include "injection/agent/gpu_claim.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace coalcheck::agent {
namespace {

// Of this process alone, so that tests may run beside each other.
std::string Gpu(const std::string& name) { return name + "-" + std::to_string(getpid()); }

TEST(GpuClaim, OneAtATimeHoldsAGpu) {
  const Result<GpuClaim> first = GpuClaim::Take(Gpu("one"));
  ASSERT_TRUE(first.ok()) << first.error();
  const Result<GpuClaim> second = GpuClaim::Take(Gpu("one"));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error(), "another process samples this GPU");
}

TEST(GpuClaim, AnotherGpuIsAnotherClaim) {
  const Result<GpuClaim> first = GpuClaim::Take(Gpu("one"));
  EXPECT_TRUE(GpuClaim::Take(Gpu("two")).ok());
}

TEST(GpuClaim, IsFreeAgainWhenItIsGivenUp) {
  {
    Result<GpuClaim> taken = GpuClaim::Take(Gpu("one"));
    ASSERT_TRUE(taken.ok());
    const GpuClaim moved = std::move(taken).value();
    EXPECT_FALSE(GpuClaim::Take(Gpu("one")).ok());
  }
  EXPECT_TRUE(GpuClaim::Take(Gpu("one")).ok());
}

TEST(GpuClaim, IsFreeAgainWhenItsProcessWasKilled) {
  const std::string gpu = Gpu("killed");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Result<GpuClaim> held = GpuClaim::Take(gpu);
    if (write(ready[1], held.ok() ? "y" : "n", 1) == 1) pause();
    _exit(1);
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(GpuClaim::Take(gpu).ok());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(GpuClaim::Take(gpu).ok());
  close(ready[0]);
  close(ready[1]);
}

}  // namespace
}  // namespace coalcheck::agent

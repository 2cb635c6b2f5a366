// SPDX-License-Identifier: Apache-2.0
//
// Claims on a GPU's samplers, within a process and between two.
#include "injection/agent/sampling/gpu_claim.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace coalcheck::agent {
namespace {

constexpr int kFirstHigh = 200;  // where claims have their descriptors

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

TEST(GpuClaim, AForkedChildDoesNotKeepItsParentsClaim) {
  const std::string gpu = Gpu("forked");
  int done[2];
  ASSERT_EQ(pipe(done), 0);
  pid_t child = 0;
  {
    const Result<GpuClaim> held = GpuClaim::Take(gpu);
    ASSERT_TRUE(held.ok());
    int forked[2];
    ASSERT_EQ(pipe(forked), 0);
    child = fork();
    if (child == 0) {
      GpuClaim::Forked();
      char end = 0;
      if (write(forked[1], "y", 1) == 1 && read(done[0], &end, 1) == 1) _exit(0);
      _exit(1);
    }
    char answer = 0;
    ASSERT_EQ(read(forked[0], &answer, 1), 1);
    EXPECT_FALSE(GpuClaim::Take(gpu).ok()) << "the child must not end its parent's claim";
    close(forked[0]);
    close(forked[1]);
  }
  EXPECT_TRUE(GpuClaim::Take(gpu).ok());
  EXPECT_EQ(write(done[1], "e", 1), 1);
  waitpid(child, nullptr, 0);
  close(done[0]);
  close(done[1]);
}

// Exit status 0: the host's file is still open.
int TakeOverTheDescriptor() {
  int theirs = -1;
  {
    const Result<GpuClaim> held = GpuClaim::Take(Gpu("closed"));
    if (!held.ok()) return 2;
    for (int i = 3; i < 1024; ++i) close(i);
    const int low = open("/dev/null", O_RDONLY);
    theirs = dup2(low, kFirstHigh);
  }
  return fcntl(theirs, F_GETFD) >= 0 ? 0 : 1;
}

TEST(GpuClaim, ADescriptorThatTheHostTookOverIsNotClosed) {
  const pid_t child = fork();
  if (child == 0) _exit(TakeOverTheDescriptor());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Exit status 0: in a child of the process that took the number over, its file is open, too.
int ForkAfterTheDescriptorWasTakenOver() {
  const Result<GpuClaim> held = GpuClaim::Take(Gpu("closed"));
  if (!held.ok()) return 2;
  for (int i = 3; i < 1024; ++i) close(i);
  const int theirs = dup2(open("/dev/null", O_RDONLY), kFirstHigh);
  const pid_t child = fork();
  if (child == 0) {
    GpuClaim::Forked();
    _exit(fcntl(theirs, F_GETFD) >= 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(GpuClaim, NorIsItInAForkedChild) {
  const pid_t child = fork();
  if (child == 0) _exit(ForkAfterTheDescriptorWasTakenOver());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(GpuClaim, IsNoObstacleToTheProcessThatHoldsIt) {
  GpuClaims claims;
  {
    const auto first = claims.Take(Gpu("one"));
    ASSERT_TRUE(first.ok()) << first.error();
    const auto second = claims.Take(Gpu("one"));
    ASSERT_TRUE(second.ok()) << second.error();
    EXPECT_FALSE(GpuClaim::Take(Gpu("one")).ok()) << "another process cannot have it";
  }
  EXPECT_TRUE(GpuClaim::Take(Gpu("one")).ok());
}

}  // namespace
}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// The agent's voice harms nobody, not even a host whose stderr is gone.
#include "injection/agent/process/say.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

namespace coalcheck::agent {
namespace {

// Makes stderr a pipe that nobody reads.
void LoseStderr() {
  int ends[2] = {};
  if (pipe(ends) != 0) std::abort();
  close(ends[0]);
  dup2(ends[1], STDERR_FILENO);
}

TEST(SayDeathTest, APipeThatNobodyReadsDoesNotKillTheHost) {
  EXPECT_EXIT(
      {
        LoseStderr();
        Say("nobody hears this");
        std::_Exit(7);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST(SayDeathTest, ANameHidesNothingAndIsNoCommandToALog) {
  EXPECT_EXIT(
      {
        Say("a\u200b##[error]\u009b\xff");
        std::_Exit(7);
      },
      ::testing::ExitedWithCode(7), "coalcheck: a\\?# #\\[error\\]\\?\\?\n");
}

TEST(SayDeathTest, TheHostsOwnSigpipeIsLeftToIt) {
  EXPECT_EXIT(
      {
        LoseStderr();
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &signals, nullptr);
        raise(SIGPIPE);
        Say("nobody hears this");
        sigset_t pending;
        sigpending(&pending);
        std::_Exit(sigismember(&pending, SIGPIPE) == 1 ? 7 : 8);
      },
      ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace coalcheck::agent

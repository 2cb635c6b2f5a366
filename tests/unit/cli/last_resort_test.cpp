// SPDX-License-Identifier: Apache-2.0
//
// Where nothing else bounds the command, it ends with an exit code and a sentence.
#include "cli/base/last_resort.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <ctime>

#include "cli/base/exit_code.h"

namespace coalcheck::cli {
namespace {

[[noreturn]] void WorkForEver() {
  volatile std::size_t rounds = 0;
  while (true) rounds = rounds + 1;
}

TEST(LastResortDeathTest, EndsAComputationThatTakesTooLong) {
  EXPECT_EXIT(
      {
        LimitCpuTime(1, kInternalError);
        WorkForEver();
      },
      testing::ExitedWithCode(kInternalError), "more CPU time than --cpu-limit allows");
}

TEST(LastResortDeathTest, EndsWithTheCodeOfTheProgramThatFailed) {
  EXPECT_EXIT(
      {
        LimitCpuTime(1, 77, "what is left behind\n");
        WorkForEver();
      },
      testing::ExitedWithCode(77), "--cpu-limit allows\nwhat is left behind");
}

TEST(LastResortDeathTest, LimitsNothingWhereTheLimitIsTakenBack) {
  EXPECT_EXIT(
      {
        LimitCpuTime(1, kInternalError);
        LimitCpuTime(0, kInternalError);
        const std::clock_t begin = std::clock();
        while (std::clock() - begin < 3 * CLOCKS_PER_SEC / 2) {
        }
        _exit(kClean);
      },
      testing::ExitedWithCode(kClean), "");
}

#ifndef __SANITIZE_ADDRESS__  // which has a report of its own
// NOLINTNEXTLINE(misc-no-recursion)
std::size_t Descend(std::size_t depth) {
  volatile std::byte frame[4096] = {};
  frame[depth % sizeof(frame)] = std::byte{1};
  return depth == 0 ? 0 : Descend(depth - 1) + std::to_integer<std::size_t>(frame[0]);
}

TEST(LastResortDeathTest, EndsWithAnExitCodeWhereTheStackEnds) {
  EXPECT_EXIT(
      {
        LimitCpuTime(0, kInternalError);
        _exit(Descend(std::size_t{1} << 30U) == 0 ? kClean : kFindings);
      },
      testing::ExitedWithCode(kInternalError), "coalcheck: internal error");
}
#endif

}  // namespace
}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// What real copies of NVTX, in a program and in a shared object of its own, bring to the listener.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/agent/library/run_process.h"

namespace coalcheck::testing {
namespace {

using ::testing::ElementsAre;

ProcessResult RunHost(const char* scenario, const char* tool) {
  return RunProcess({COALCHECK_NVTX_HOST, scenario, COALCHECK_NVTX_PLUGIN},
                    {{"NVTX_INJECTION64_PATH", tool}});
}

std::vector<std::string> Observed(const char* scenario) {
  const ProcessResult result = RunHost(scenario, COALCHECK_NVTX_OBSERVER);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return Lines(result.out);
}

TEST(Nvtx, PushedRangesNestAndReturnTheirLevels) {
  EXPECT_THAT(Observed("nested"),
              ElementsAre("push 0", "push 1", "push 2", "step, größe 漢 😀, inner", "pop 2", "pop 1",
                          "step", "pop 0", "pop -1", "nothing"));
}

TEST(Nvtx, StartedRangesAreOpenUntilTheyAreEnded) {
  EXPECT_THAT(Observed("started"),
              ElementsAre("differ 1", "epoch*, run*, wide*", "epoch*", "nothing"));
}

TEST(Nvtx, EachDomainHasItsOwnLevelsAndRegisteredNames) {
  EXPECT_THAT(Observed("domains"),
              ElementsAre("same 1", "push 0", "push 0", "push 0",
                          "solver:registered, io:registered é, wide, io:registered*", "pop 0",
                          "io:registered é, wide", "pop 0", "pop -1", "wide"));
}

TEST(Nvtx, AThreadHasItsOwnRangesAndTheProcesss) {
  EXPECT_THAT(Observed("threads"),
              ElementsAre("its own, everybody's*", "mine, everybody's*", "mine"));
}

TEST(Nvtx, ASharedObjectLoadedLaterSharesRangesAndHandles) {
  EXPECT_THAT(Observed("plugin"),
              ElementsAre("push 1", "host, plugin", "same 1", "host, plugin, shared:inner", "pop 0",
                          "pop 1", "host"));
}

TEST(Nvtx, ForeignAndMissingPointersAreTolerated) {
  EXPECT_THAT(Observed("mistakes"), ElementsAre("-, -, -, -, (unknown domain):-, -", "pop 0",
                                                "pop -1", "null 1", "nothing", "mistakes 3"));
}

TEST(Nvtx, RangesWithPayloadsAreRangesLikeAnyOther) {
  EXPECT_THAT(Observed("payloads"),
              ElementsAre("push 0", "push 1", "enabled 1", "d:with payload, d:-, d:-*", "pop 1",
                          "pop 0", "nothing"));
}

TEST(Nvtx, AForkedChildGoesOnAndItsParentToo) {
  EXPECT_THAT(Observed("forked"), ElementsAre("parent, child", "child 0", "parent"));
}

TEST(Nvtx, WithoutAToolNobodyListens) {
  EXPECT_THAT(Lines(RunHost("quiet", "").out), ElementsAre("push -2", "push -2", "threads 1"));
}

TEST(Nvtx, TheLibraryListensWithoutCudaAndDoesNothingElse) {
  const ProcessResult result = RunHost("quiet", COALCHECK_LIBRARY);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Lines(result.out), ElementsAre("push 0", "push 1", "threads 1"));
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace coalcheck::testing

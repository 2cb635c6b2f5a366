// SPDX-License-Identifier: Apache-2.0
//
// The report that the real library has made when a small CUDA program ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/agent/library/host.h"

namespace coalcheck::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Reported : public Host {
 protected:
  Reported() { environment_["COALCHECK_COMMAND"] = COALCHECK_COMMAND_FILE; }
};

TEST_F(Reported, TheReportIsOnStderrItsLastLineIsTheSummaryAndTheRecordingIsGone) {
  const ProcessResult result = Run({"context", "launch", "launch"}, "0");
  const std::vector<std::string> lines = Lines(result.err);
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.back(), AllOf(StartsWith("coalcheck: "), HasSubstr("1 finding")));
  EXPECT_THAT(result.err, HasSubstr("spread"));
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(Reported, TheRecordingOfAProgramWithBracketsInItsNameIsGone) {
  const std::string named = folder_ + "/a[b]*?c";
  std::filesystem::copy_file(COALCHECK_CUDA_HOST, named);
  const ProcessResult result = RunWords({named, COALCHECK_MODULE, "0", "context", "launch"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("1 finding"));
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(Reported, AFindingDoesNotChangeTheHostsExitCode) { Run({"context", "launch"}, "37"); }

TEST_F(Reported, AFilterForRangesIsAnsweredWhenNoneWasSeen) {
  environment_["COALCHECK_OPTIONS"] = "--nvtx-include step";
  const std::string err = Run({"context", "launch"}).err;
  EXPECT_THAT(err, HasSubstr("nothing was checked: 1 launch seen, none counted"));
  EXPECT_THAT(err, HasSubstr("--nvtx-include step matched nothing"));
  EXPECT_THAT(err, HasSubstr("NVTX_INJECTION64_PATH"));
}

TEST_F(Reported, WhoUsedNvtxBeforeCudaStartedIsNamedWhenAFilterAsksForRanges) {
  environment_["COALCHECK_OPTIONS"] = "--nvtx-include step";
  const std::string err = Run({"early-range", "context", "launch"}).err;
  EXPECT_THAT(err, StartsWith("coalcheck: NVTX ranges of the program itself are not seen: it used "
                              "NVTX before CUDA started"));
  EXPECT_THAT(err, Not(HasSubstr("no NVTX range was seen")));
}

TEST_F(Reported, WithoutSuchAFilterTheReportNamesThemAndNothingIsSaidBefore) {
  const std::string err = Run({"early-range", "context", "launch"}).err;
  EXPECT_THAT(err, Not(StartsWith("coalcheck: NVTX ranges")));
  EXPECT_THAT(err,
              HasSubstr("NVTX ranges of the program itself are not seen: it used NVTX before"));
}

TEST_F(Reported, AnotherToolsListenerIsNamedInTheReport) {
  environment_["NVTX_INJECTION64_PATH"] = "/no/such/tool.so";
  EXPECT_THAT(Run({"context", "launch"}).err,
              HasSubstr("no NVTX range was seen: NVTX_INJECTION64_PATH names another tool"));
}

TEST_F(Reported, WithBothVariablesARangeFromBeforeCudaIsSeen) {
  environment_["COALCHECK_OPTIONS"] = "--nvtx-include step";
  environment_["NVTX_INJECTION64_PATH"] = COALCHECK_LIBRARY;
  const std::string err = Run({"early-range", "context", "launch"}).err;
  EXPECT_THAT(err, AllOf(HasSubstr("counted 1 "), Not(HasSubstr("not seen"))));
}

TEST_F(Reported, AForkedChildMakesNoSecondReport) {
  const std::vector<std::string> lines = Lines(Run({"context", "launch", "fork"}).err);
  EXPECT_THAT(lines, Contains(HasSubstr("counted 1 ")).Times(1));
}

TEST_F(Reported, AHostThatMakesNoContextIsToldSoInOneLine) {
  EXPECT_THAT(Lines(Run({}).err), ElementsAre(StartsWith("coalcheck: nothing was checked")));
  EXPECT_THAT(Left(), IsEmpty());
}

}  // namespace
}  // namespace coalcheck::testing

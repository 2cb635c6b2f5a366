// SPDX-License-Identifier: Apache-2.0
//
// The agent takes its options, passes on the report's, and names what it cannot read.
#include "libcoalcheck/options/agent_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/options/option_table.h"

namespace coalcheck::options {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ErrorOf(std::string_view line) {
  const Result<AgentOptions> parsed = ParseAgentOptions(line);
  return parsed.ok() ? "no error" : parsed.error();
}

TEST(AgentOptions, AWindowLimitIsAWholeNumberOfMilliseconds) {
  for (const char* text : {"5 s", "5s", "-1", "1.5", "much", "99999999999999999999", ""}) {
    const auto options = ParseAgentOptions(std::string("--window-limit '") + text + "'");
    ASSERT_FALSE(options.ok()) << text;
    EXPECT_NE(options.error().find("window-limit"), std::string::npos) << options.error();
  }
  EXPECT_EQ(ParseAgentOptions("--window-limit 0").value().window_limit.count(), 0);
}

TEST(AgentOptions, AnEmptyLineMeansTheDefaults) {
  const AgentOptions options = ParseAgentOptions("").value();
  EXPECT_EQ(selection::ToString(options.sampling), "auto");
  EXPECT_TRUE(options.report);
  EXPECT_EQ(options.metrics, Metrics::kFull);
}

TEST(AgentOptions, ValuesFollowAfterABlankOrAnEqualSign) {
  const AgentOptions options =
      ParseAgentOptions("--sampling every:10 --recording='a b' --no-report --close-deadline 50")
          .value();
  EXPECT_EQ(selection::ToString(options.sampling), "every:10");
  EXPECT_EQ(options.recording, "a b");
  EXPECT_FALSE(options.report);
  EXPECT_EQ(options.close_deadline, std::chrono::milliseconds(50));
}

TEST(AgentOptions, ReportOptionsArePassedOn) {
  EXPECT_THAT(ParseAgentOptions("--format json --print-limit=3").value().report_arguments,
              ElementsAre("--format=json", "--print-limit=3"));
  EXPECT_THAT(ParseAgentOptions("-o out.txt").value().report_arguments,
              ElementsAre("--output=out.txt"));
}

TEST(AgentOptions, CostIsSampledOnRequestOnly) {
  const PcSamplingOptions defaults = ParseAgentOptions("").value().pc_sampling;
  EXPECT_EQ(defaults.mode, CostMode::kOff);
  EXPECT_EQ(defaults.period.cycles(), Cycles(262144));
  EXPECT_EQ(defaults.memory, Bytes(32 << 20));
  const PcSamplingOptions chosen =
      ParseAgentOptions("--cost on --cost-period 16 --cost-memory 8M").value().pc_sampling;
  EXPECT_EQ(chosen.mode, CostMode::kOn);
  EXPECT_EQ(chosen.period.cycles(), Cycles(65536));
  EXPECT_EQ(chosen.memory, Bytes(8 << 20));
  EXPECT_THAT(ErrorOf("--cost maybe"), HasSubstr("auto, off or on"));
  EXPECT_THAT(ErrorOf("--cost-period 4"), HasSubstr("5 to 31"));
  EXPECT_THAT(ErrorOf("--cost-period 16x"), HasSubstr("5 to 31"));
}

TEST(AgentOptions, AnUnknownOptionNamesTheNearestOne) {
  EXPECT_EQ(ErrorOf("--samplin all"), "there is no option --samplin; did you mean --sampling?");
  EXPECT_EQ(ErrorOf("--zebra"), "there is no option --zebra; coalcheck options lists them");
}

TEST(AgentOptions, AnImpossibleValueNamesTheAcceptedOnes) {
  EXPECT_THAT(ErrorOf("--sampling sometimes"), HasSubstr("first, all or every:N"));
  EXPECT_THAT(ErrorOf("--sampling every:0"), HasSubstr("whole number N from 1"));
  EXPECT_THAT(ErrorOf("--metrics most"), HasSubstr("full or minimal"));
  EXPECT_THAT(ErrorOf("--open-deadline soon"), HasSubstr("milliseconds"));
  EXPECT_THAT(ErrorOf("--sampling"), HasSubstr("needs a value"));
  EXPECT_THAT(ErrorOf("--exitcode"), HasSubstr("the program's own exit code stays"));
  EXPECT_EQ(ErrorOf("--kernel="), "--kernel needs a value: NAME");
  EXPECT_EQ(ErrorOf("--recording ''"), "--recording needs a value: FOLDER");
  EXPECT_THAT(ErrorOf("--no-report=1"), HasSubstr("takes no value"));
  EXPECT_THAT(ErrorOf("all"), HasSubstr("is not an option"));
}

TEST(AgentOptions, FiltersAreReadAndTheirMistakesAreNamedWithTheOption) {
  const AgentOptions options =
      ParseAgentOptions(
          "--kernel 'app::*' --nvtx-include outer/inner --launch-skip 10 --launch-count kernel:2")
          .value();
  EXPECT_EQ(options.filters.kernel.size(), 1U);
  EXPECT_EQ(options.filters.nvtx_include.size(), 1U);
  EXPECT_EQ(options.filters.launches.skip.launches, Launches(10));
  EXPECT_EQ(options.filters.launches.count->scope, selection::LaunchScope::kKernel);
  EXPECT_THAT(ErrorOf("--kernel 'regex:('"), HasSubstr("--kernel: "));
  EXPECT_THAT(ErrorOf("--nvtx-include a//b"), HasSubstr("--nvtx-include: "));
  EXPECT_THAT(ErrorOf("--launch-skip -1"), HasSubstr("--launch-skip: "));
}

TEST(AgentOptions, FiltersThatContradictEachOtherAreNamed) {
  EXPECT_EQ(ErrorOf("--kernel b --kernel-exclude b --kernel-exclude c"),
            "--kernel b and --kernel-exclude b leave nothing to check");
  EXPECT_EQ(ErrorOf("--nvtx-include step --nvtx-exclude step"),
            "--nvtx-include step and --nvtx-exclude step leave nothing to check");
  EXPECT_EQ(ErrorOf("--kernel a --kernel-exclude b"), "no error");
}

TEST(AgentOptions, WhatIsExcludedAsAWholeLeavesNothingEither) {
  EXPECT_EQ(ErrorOf("--kernel-exclude '*'"), "--kernel-exclude * leaves nothing to check");
  EXPECT_EQ(ErrorOf("--nvtx-exclude '*'"), "--nvtx-exclude * leaves nothing to check");
  EXPECT_EQ(ErrorOf("--kernel cub::Foo --kernel-exclude cub"),
            "--kernel cub::Foo and --kernel-exclude cub leave nothing to check");
  EXPECT_EQ(ErrorOf("--kernel abc --kernel-exclude 'a*'"),
            "--kernel abc and --kernel-exclude a* leave nothing to check");
  EXPECT_EQ(ErrorOf("--nvtx-include a/b --nvtx-exclude a"),
            "--nvtx-include a/b and --nvtx-exclude a leave nothing to check");
  EXPECT_EQ(ErrorOf("--nvtx-include d@a --nvtx-exclude a"),
            "--nvtx-include d@a and --nvtx-exclude a leave nothing to check");
}

TEST(AgentOptions, WhatMayLeaveSomethingIsNoContradiction) {
  EXPECT_EQ(ErrorOf("--kernel cub --kernel-exclude cub::Foo"), "no error");
  EXPECT_EQ(ErrorOf("--kernel a --kernel-exclude '?'"), "no error");  // a::run
  EXPECT_EQ(ErrorOf("--kernel 'a*' --kernel-exclude 'ab*'"), "no error");
  EXPECT_EQ(ErrorOf("--nvtx-include a --nvtx-exclude a/b"), "no error");
  EXPECT_EQ(ErrorOf("--nvtx-include a --nvtx-exclude d@a"), "no error");
}

TEST(AgentOptions, NamesOfNsightComputeAreSentToOurs) {
  EXPECT_THAT(ErrorOf("--kernel-name x"), HasSubstr("it is --kernel"));
  EXPECT_THAT(ErrorOf("--nvtx"), HasSubstr("--nvtx-include"));
}

TEST(AgentOptions, AnExcludeThatLeavesSomeOfWhatIsIncludedIsNoContradiction) {
  EXPECT_EQ(ErrorOf("--kernel a --kernel b --kernel-exclude b"), "no error");
  EXPECT_EQ(ErrorOf("--nvtx-include step --nvtx-include eval --nvtx-exclude step"), "no error");
}

TEST(AgentOptions, ABudgetIsMoreThanNothingAndAtMostAll) {
  EXPECT_EQ(ParseAgentOptions("--budget 0.5%").value().budget.parts_per_million(), 5000U);
  EXPECT_THAT(ErrorOf("--budget 0"), HasSubstr("--sampling first"));
  EXPECT_THAT(ErrorOf("--budget 200%"), HasSubstr("--budget: "));
}

TEST(OptionTable, EveryAgentOptionIsUnderstoodByTheParser) {
  for (const OptionSpec& spec : OptionTable()) {
    std::string line = "--" + std::string(spec.name);
    if (!spec.value.empty()) {
      const bool has_default = !spec.default_value.empty() && spec.scope == Scope::kAgent;
      const std::string fits_most = spec.name == "launch-count" ? "1" : "x";
      line += "=" + (has_default ? std::string(spec.default_value) : fits_most);
    }
    EXPECT_EQ(ErrorOf(line), "no error") << line;
  }
}

}  // namespace
}  // namespace coalcheck::options

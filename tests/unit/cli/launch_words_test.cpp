// SPDX-License-Identifier: Apache-2.0
//
// Where options end and the program begins, and what the program's environment becomes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/launch/environment.h"
#include "cli/launch/words.h"
#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

LaunchWords Split(const Words& words) {
  Result<LaunchWords> split = SplitLaunchWords(words);
  EXPECT_TRUE(split.ok()) << split.error();
  return split.ok() ? std::move(split).value() : LaunchWords{};
}

TEST(LaunchWords, TheFirstWordThatIsNoOptionIsTheProgram) {
  const LaunchWords split =
      Split({"--sampling", "all", "--exit-zero", "-o", "x", "-oy", "./app", "--format", "-o"});
  EXPECT_THAT(split.options,
              ElementsAre("--sampling=all", "--exit-zero", "--output=x", "--output=y"));
  EXPECT_THAT(split.program, ElementsAre("./app", "--format", "-o"));
}

TEST(LaunchWords, TwoDashesEndTheOptionsAndLaterOnesAreTheProgramsOwn) {
  EXPECT_THAT(Split({"--quiet", "--", "--app", "--", "x"}).program,
              ElementsAre("--app", "--", "x"));
  EXPECT_THAT(Split({"--"}).program, IsEmpty());
  EXPECT_THAT(Split({"-", "x"}).program, ElementsAre("-", "x"));
}

TEST(LaunchWords, AValueMayLookLikeAnything) {
  const LaunchWords split = Split({"--output", "--", "--path-map=a=b", "--print-limit", "-1", "a"});
  EXPECT_THAT(split.options, ElementsAre("--output=--", "--path-map=a=b", "--print-limit=-1"));
  EXPECT_THAT(split.program, ElementsAre("a"));
}

TEST(LaunchWords, WhatIsWrongIsNamedWithTheNearestThatIsRight) {
  EXPECT_THAT(SplitLaunchWords(Words{"--samplng", "all"}).error(), HasSubstr("\"--sampling\"?"));
  EXPECT_THAT(SplitLaunchWords(Words{"-x", "all"}).error(), HasSubstr("unknown option \"-x\""));
  EXPECT_THAT(SplitLaunchWords(Words{"--output"}).error(), HasSubstr("needs a value: FILE"));
  EXPECT_THAT(SplitLaunchWords(Words{"--output=", "x"}).error(), HasSubstr("needs a value: FILE"));
  EXPECT_THAT(SplitLaunchWords(Words{"--quiet=yes", "a"}).error(), HasSubstr("takes no value"));
}

TEST(LaunchWords, JoiningLeavesOperandsAndWhatIsUnknownWhereTheyAre) {
  const auto joined = JoinOptionValues(Words{"report", "x", "--format", "json", "--other", "y"});
  ASSERT_TRUE(joined.ok());
  EXPECT_THAT(joined.value(), ElementsAre("report", "x", "--format=json", "--other", "y"));
  EXPECT_THAT(JoinOptionValues(Words{"--", "--format", "json"}).value(),
              ElementsAre("--", "--format", "json"));
  EXPECT_FALSE(JoinOptionValues(Words{"report", "--format"}).ok());
}

TEST(LaunchWords, TheFirstWordDecidesWhatIsDone) {
  const Words commands = {"report", "inspect", "run"};
  const auto classify = [&commands](const std::string& word, bool is_program) {
    return Classify(word, commands, [is_program](const std::string&) { return is_program; });
  };
  EXPECT_EQ(classify("report", true), FirstWord::kCommand) << "-- runs such a program";
  EXPECT_EQ(classify("--version", false), FirstWord::kCommand);
  EXPECT_EQ(classify("reprot", false), FirstWord::kMistake);
  EXPECT_EQ(classify("reprot", true), FirstWord::kLaunch);
  EXPECT_EQ(classify("./reprot", false), FirstWord::kLaunch) << "a path is no command";
  EXPECT_EQ(classify("help", false), FirstWord::kMistake);
  EXPECT_EQ(classify("help", true), FirstWord::kLaunch);
  EXPECT_EQ(classify("something-else", false), FirstWord::kLaunch);
  EXPECT_EQ(classify("--sampling", false), FirstWord::kLaunch);
  EXPECT_EQ(classify("--", false), FirstWord::kLaunch);
}

TEST(LaunchEnvironment, TheCommandLineReplacesAllOfANameInTheVariable) {
  const auto merged = CombineOptions("--format text --format json --sampling 'every:3' --quiet",
                                     {"--format=json", "--color=never"});
  ASSERT_TRUE(merged.ok()) << merged.error();
  EXPECT_THAT(merged.value(),
              ElementsAre("--sampling=every:3", "--quiet", "--format=json", "--color=never"));
}

TEST(LaunchEnvironment, AVariableThatCannotBeReadIsRefused) {
  EXPECT_THAT(CombineOptions("--sampling 'all", {}).error(), HasSubstr("COALCHECK_OPTIONS: "));
  EXPECT_THAT(CombineOptions("--samplng all", {}).error(), HasSubstr("--sampling"));
  EXPECT_THAT(CombineOptions("all", {}).error(), HasSubstr("'all' is not an option"));
}

TEST(LaunchEnvironment, TheAgentGetsItsOwnOptionsAndOneFolderForEachProcess) {
  const std::string line = AgentLine(
      {"--sampling=every:3", "--recording=elsewhere", "--format=json", "--quiet", "--no-report"},
      "/tmp/it's 100%p");
  const auto options = options::ParseAgentOptions(line);
  ASSERT_TRUE(options.ok()) << options.error() << " in " << line;
  EXPECT_EQ(options.value().recording, "/tmp/it's 100%%p/%p");
  EXPECT_FALSE(options.value().report);
  EXPECT_THAT(options.value().report_arguments, IsEmpty());
  EXPECT_EQ(line.find("elsewhere"), std::string::npos);
  EXPECT_THAT(line, HasSubstr("every:3"));
}

TEST(LaunchEnvironment, TheLastValueOfANameIsIt) {
  EXPECT_EQ(ValueOf(Words{"--recording=a", "--quiet", "--recording=b=c"}, "recording"), "b=c");
  EXPECT_EQ(ValueOf(Words{"--quiet"}, "recording"), "");
}

TEST(LaunchEnvironment, WhatIsReplacedIsNamedAndWhatIsOursIsKept) {
  const std::vector<BeforeLaunch> before = {{"CUDA_INJECTION64_PATH", "/a.so", false},
                                            {"NVTX_INJECTION64_PATH", "/lib/ours.so", true}};
  const Injection plan = PlanInjection("/lib/ours.so", before);
  ASSERT_EQ(plan.variables.size(), 2U);
  EXPECT_EQ(plan.variables[0].value, "/lib/ours.so");
  EXPECT_THAT(plan.notes,
              ElementsAre("CUDA_INJECTION64_PATH was /a.so; for this run it is /lib/ours.so",
                          "NVTX_INJECTION64_PATH names this library already: kept"));
  const std::vector<BeforeLaunch> unset = {{"CUDA_INJECTION64_PATH", "", false}};
  EXPECT_THAT(PlanInjection("/lib/ours.so", unset).notes, IsEmpty());
}

}  // namespace
}  // namespace coalcheck::cli

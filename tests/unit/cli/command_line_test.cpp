// SPDX-License-Identifier: Apache-2.0
//
// The command itself, run as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <string>

#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  int exit_code = -1;
  std::string text;  // standard output and error together
};

Outcome Coalcheck(const std::string& arguments) {
  const std::string command = COALCHECK_BINARY_DIR "/bin/coalcheck " + arguments + " 2>&1";
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.text.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

TEST(CommandLine, WithoutArgumentsItPrintsHelpAndFails) {
  const Outcome outcome = Coalcheck("");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text,
              AllOf(HasSubstr("report"), HasSubstr("inspect"), HasSubstr("CUDA_INJECTION64_PATH")));
}

TEST(CommandLine, HelpAndVersionSucceed) {
  EXPECT_EQ(Coalcheck("--help").exit_code, 0);
  EXPECT_EQ(Coalcheck("report --help").exit_code, 0);
  const Outcome version = Coalcheck("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.text, "coalcheck " COALCHECK_VERSION "\n");
}

TEST(CommandLine, AnUnknownCommandNamesTheNearest) {
  const Outcome outcome = Coalcheck("reprot x.rec");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text,
              HasSubstr("coalcheck: unknown command \"reprot\": did you mean \"report\"?"));
}

TEST(CommandLine, MistakesBelowBaselineAreNamedAsThoseBesideIt) {
  EXPECT_THAT(Coalcheck("baseline wirte a b").text,
              StartsWith("coalcheck: unknown command of coalcheck baseline \"wirte\"; known are "
                         "write, check\ncoalcheck baseline --help lists"));
  EXPECT_THAT(Coalcheck("baseline write --pathmap a=b f r").text,
              StartsWith("coalcheck: unknown option \"--pathmap\": did you mean \"--path-map\"?\n"
                         "coalcheck baseline write --help lists"));
  EXPECT_EQ(Coalcheck("baseline wirte a b").exit_code, 2);
}

TEST(CommandLine, ACommandThatIsCutShortSaysWhatItWants) {
  EXPECT_THAT(Coalcheck("baseline").text,
              StartsWith("coalcheck: which command? coalcheck baseline write|check\n"));
  EXPECT_THAT(Coalcheck("baseline write").text,
              StartsWith("coalcheck: which file? coalcheck baseline write FILE RECORDING…\n"
                         "coalcheck baseline write --help lists"));
  EXPECT_THAT(Coalcheck("baseline check f").text,
              StartsWith("coalcheck: which recording? coalcheck baseline check FILE RECORDING…\n"));
  EXPECT_THAT(Coalcheck("verdict").text,
              StartsWith("coalcheck: which recording? coalcheck verdict RECORDING…\n"));
}

TEST(CommandLine, TheHelpOfABaselineIsAboutBaselines) {
  EXPECT_THAT(Coalcheck("baseline --help").text,
              AllOf(HasSubstr("coalcheck baseline write FILE RECORDING…"),
                    HasSubstr("baseline write --help"), Not(HasSubstr("CUDA_INJECTION64_PATH"))));
  EXPECT_THAT(Coalcheck("baseline write --help").text,
              AllOf(HasSubstr("Exit codes: 0 FILE is written"), Not(HasSubstr("short for"))));
}

TEST(CommandLine, OnlyOptionsWithSeveralValuesShowDots) {
  for (const char* command : {"run --help", "report --help", "baseline write --help"}) {
    const std::string text = Coalcheck(command).text;
    EXPECT_THAT(text.substr(text.find("Options:")), Not(HasSubstr(" ..."))) << command;
  }
}

TEST(CommandLine, WordsThatAreOptionsHereAreNamedAsOptions) {
  EXPECT_THAT(Coalcheck("help").text,
              StartsWith("coalcheck: unknown command \"help\": did you mean \"--help\"?\n"));
  EXPECT_THAT(Coalcheck("verison").text, HasSubstr("did you mean \"--version\"?"));
  EXPECT_EQ(Coalcheck("version").exit_code, 2);
}

TEST(CommandLine, AnOptionOfAnotherCommandIsSentThere) {
  const Outcome outcome = Coalcheck("report x --sampling all");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text, StartsWith("coalcheck: --sampling is an option of coalcheck run: it is "
                                       "about the program's run, which is over\n"));
  EXPECT_THAT(Coalcheck("verdict x --format json").text,
              StartsWith("coalcheck: --format is an option of coalcheck report and coalcheck run"));
}

TEST(CommandLine, WhoeverAsksForTheVerdictAsExitCodeIsToldWhereItIs) {
  for (const char* arguments : {"--exitcode 1 true", "run --error-exitcode=1 true",
                                "report x --exitcode", "verdict --exit-code x"}) {
    const Outcome outcome = Coalcheck(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.text, HasSubstr("coalcheck verdict RECORDING end with the verdict"));
  }
}

TEST(CommandLine, AnEmptyValueIsNamedAndTakesNoOtherWord) {
  for (const char* arguments : {"--kernel= true", "--kernel '' true", "run --kernel= true"}) {
    EXPECT_EQ(Coalcheck(arguments).text,
              "coalcheck: --kernel needs a value: NAME\ncoalcheck run --help lists the options\n");
  }
  EXPECT_THAT(Coalcheck("report --config= x").text,
              StartsWith("coalcheck: --config needs a value: FILE|none\n"));
  EXPECT_THAT(Coalcheck("report --path-map=a= /nonexistent").text,
              HasSubstr("/nonexistent: there is no such recording"));
}

TEST(CommandLine, AnUnknownOptionNamesTheNearest) {
  const Outcome outcome = Coalcheck("report --fromat=json x.rec");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text, HasSubstr("unknown option \"--fromat\": did you mean \"--format\"?"));
}

TEST(CommandLine, AnOptionThatIsLikeNoOtherListsAll) {
  const Outcome outcome = Coalcheck("report --xyzzy x.rec");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("unknown option \"--xyzzy\"; known are"),
                                  HasSubstr("--min-wasted-share")));
}

TEST(CommandLine, BadValuesAreRefused) {
  for (const char* arguments :
       {"report x --format yaml", "report x --min-wasted-share 101",
        "report x --min-wasted-share nan", "report x --min-wasted-share=-nan",
        "report x --min-wasted-share inf", "report x --print-limit -1",
        "report x --color sometimes", "report x --scope mine", "report x --group-by kernel",
        "report x --path-map /a", "report x -o a -o b", "report"}) {
    EXPECT_EQ(Coalcheck(arguments).exit_code, 2) << arguments << Coalcheck(arguments).text;
  }
  EXPECT_THAT(Coalcheck("report x --format yaml").text,
              AllOf(HasSubstr("text"), HasSubstr("json")));
  EXPECT_THAT(Coalcheck("report x --min-wasted-share nan").text,
              HasSubstr("takes a number from 0 to 100, not 'nan'"));
  EXPECT_THAT(Coalcheck("report x --path-map /a").text, HasSubstr("takes OLD=NEW"));
}

TEST(CommandLine, OptionsMayBeGivenAsTheAgentPassesThemOn) {
  const Outcome outcome =
      Coalcheck("report /nonexistent --format=json --color=never --print-limit=3");
  EXPECT_THAT(outcome.text, HasSubstr("/nonexistent: there is no such recording"));
}

TEST(CommandLine, ValuesThatLookLikeOptionsAreValues) {
  EXPECT_THAT(Coalcheck("report x --print-limit -1").text,
              HasSubstr("--print-limit takes a whole number, 0 or more, not '-1'"));
  EXPECT_THAT(Coalcheck("report x --print-limit").text,
              HasSubstr("--print-limit needs a value: N"));
}

TEST(CommandLine, ASourceRootThatIsNoFolderIsRefused) {
  const Outcome outcome = Coalcheck("report x --source-root /nonexistent");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text, HasSubstr("--source-root: '/nonexistent' is no folder"));
}

TEST(CommandLine, AnOutputThatCannotBeWrittenIsAUsageError) {
  const Outcome outcome = Coalcheck("report x -o /nonexistent/report.txt");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text, HasSubstr("cannot write the report to /nonexistent/report.txt"));
}

TEST(CommandLine, AllCommandsRefuseABadValueInTheSameWords) {
  for (const char* command : {"report", "doctor", "run"}) {
    const Outcome outcome = Coalcheck(std::string(command) + " --color xml");
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_EQ(outcome.text,
              "coalcheck: --color takes auto or always or never, not 'xml'\ncoalcheck " +
                  std::string(command) + " --help lists the options\n");
  }
  EXPECT_THAT(Coalcheck("inspect x --format xml").text,
              StartsWith("coalcheck: --format takes text or json, not 'xml'\n"));
  for (const char* command : {"report", "run"}) {
    EXPECT_THAT(Coalcheck(std::string(command) + " --format xml").text,
                StartsWith("coalcheck: --format takes text, json, sarif, github, junit, gitlab, "
                           "markdown, html, callgrind, folded, each alone or as FORMAT=FILE, "
                           "not 'xml'\n"));
  }
  EXPECT_THAT(Coalcheck("inspect x --source-root /nonexistent").text,
              HasSubstr("--source-root: '/nonexistent' is no folder"));
  EXPECT_THAT(Coalcheck("doctor --deadline 0").text,
              HasSubstr("takes a whole number of seconds from 1 to 3600, not '0'"));
}

TEST(CommandLine, OptionsMayStandBeforeTheCommand) {
  EXPECT_THAT(Coalcheck("--color never --format=json report /nonexistent").text,
              HasSubstr("/nonexistent: there is no such recording"));
  EXPECT_EQ(Coalcheck("--exit-zero --library /nonexistent.so run true").text,
            Coalcheck("run --exit-zero --library /nonexistent.so true").text);
}

TEST(CommandLine, HelpShowsWhereTheProgramStands) {
  for (const char* arguments : {"--help", "run --help"}) {
    EXPECT_THAT(Coalcheck(arguments).text,
                HasSubstr("Usage: coalcheck [run] [OPTIONS] [--] APP [ARGS…]\n"));
  }
  EXPECT_THAT(Coalcheck("report --help").text, HasSubstr("Usage: coalcheck report [OPTIONS]"));
  EXPECT_THAT(Coalcheck("inspect --help").text, Not(HasSubstr("CUDA_INJECTION64_PATH")));
  EXPECT_THAT(Coalcheck("nonsense x").text, Not(HasSubstr("doctor-child")));
}

TEST(CommandLine, ABadValueOfTheVariableSaysWhereItIsFrom) {
  setenv("COALCHECK_OPTIONS", "--sampling sometimes --print-limit x", 1);
  EXPECT_THAT(Coalcheck("run true").text,
              StartsWith("coalcheck: COALCHECK_OPTIONS: --print-limit"));
  EXPECT_THAT(Coalcheck("run --color x --print-limit 3 true").text,
              StartsWith("coalcheck: --color takes auto"));
  setenv("COALCHECK_OPTIONS", "--sampling sometimes", 1);
  EXPECT_THAT(Coalcheck("run true").text, StartsWith("coalcheck: COALCHECK_OPTIONS: --sampling"));
  EXPECT_THAT(Coalcheck("run --sampling never true").text, StartsWith("coalcheck: --sampling"));
  unsetenv("COALCHECK_OPTIONS");
}

TEST(CommandLine, AReportWithoutARecordingAsksForOne) {
  EXPECT_THAT(Coalcheck("report").text, HasSubstr("which recording? coalcheck report RECORDING"));
}

std::string Recording(const std::string& name) {
  return COALCHECK_SOURCE_DIR "/tests/recordings/" + name;
}

const std::string kMapped =
    " --source-root " COALCHECK_SOURCE_DIR " --path-map /tmp/coalcheck=" COALCHECK_SOURCE_DIR " ";

TEST(CommandLine, DiffOfARunWithItselfFindsNothing) {
  const std::string run = Recording("transpose_naive");
  const Outcome outcome = Coalcheck("diff" + kMapped + run + " " + run);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("coalcheck: 1 unchanged\n"));
}

TEST(CommandLine, DiffFailsWhenAFindingAppears) {
  const std::string runs = Recording("transpose_tiled") + " " + Recording("transpose_naive");
  const Outcome outcome = Coalcheck("diff" + kMapped + runs);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("transpose_naive.cu:17: store appeared: wastes 28 sectors"));
  EXPECT_EQ(Coalcheck("diff --exit-zero" + kMapped + runs).exit_code, 0);
}

TEST(CommandLine, DiffTakesAJsonReport) {
  const support::ScratchFolder scratch;
  const std::string json = (scratch.path() / "base.json").string();
  const std::string run = Recording("aos_soa");
  EXPECT_EQ(Coalcheck("report --format json -o " + json + kMapped + run).exit_code, 1);
  const Outcome outcome = Coalcheck("diff --format json" + kMapped + json + " " + run);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("\"worsened\": 0"), HasSubstr("\"appeared\": 0"),
                                  Not(HasSubstr("\"unchanged\": 0"))));
}

TEST(CommandLine, DiffSaysThatAJsonReportHadOtherThresholds) {
  const support::ScratchFolder scratch;
  const std::string json = (scratch.path() / "base.json").string();
  const std::string run = Recording("aos_soa");
  EXPECT_EQ(Coalcheck("report --format json -o " + json + kMapped + run).exit_code, 1);
  const std::string words = "diff --min-wasted-share 95" + kMapped + json + " " + run;
  EXPECT_THAT(Coalcheck(words).text, HasSubstr("findings begin at 10 % wasted in " + json));
  EXPECT_THAT(Coalcheck("diff" + kMapped + json + " " + run).text,
              Not(HasSubstr("findings begin at")));
}

TEST(CommandLine, DiffSaysWhatItCannotRead) {
  const Outcome outcome = Coalcheck("diff /nowhere.rec " + Recording("aos_soa"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.text, StartsWith("coalcheck: /nowhere.rec: there is no such recording"));
}

}  // namespace
}  // namespace coalcheck::cli

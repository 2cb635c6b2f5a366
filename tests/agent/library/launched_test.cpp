// SPDX-License-Identifier: Apache-2.0
//
// The launcher with the real library in a small CUDA program over stand-ins: one report, whatever
// the number of processes and however they end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "libcoalcheck/recording/losses.h"
#include "tests/agent/library/over_stand_ins.h"

namespace coalcheck::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Launched : public OverStandIns {
 protected:
  // `program` are the words after the options of the launcher.
  ProcessResult Run(const std::vector<std::string>& program) {
    std::vector<std::string> words = {
        COALCHECK_COMMAND_FILE,   "--library", COALCHECK_LIBRARY,       "--format=text",
        "--format=json",          "-o",        folder_ + "/report.txt", "-o",
        folder_ + "/report.json", "--"};
    words.insert(words.end(), program.begin(), program.end());
    ProcessResult result = RunWords(words);
    std::ifstream json(folder_ + "/report.json");
    report_ = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(report_.is_object()) << result.err;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("coalcheck-run"))) << "left over";
    }
    return result;
  }
  nlohmann::json report_;
};

TEST_F(Launched, TheReportComesOnceAndTheVerdictIsTheExitCode) {
  const ProcessResult result =
      Run({COALCHECK_CUDA_HOST, COALCHECK_MODULE, "0", "context", "launch", "launch"});
  EXPECT_EQ(result.out, "the host's own output\n");
  EXPECT_EQ(result.exit_code, report_["verdict"]["exit_code"].get<int>());
  EXPECT_NE(result.exit_code, 0) << "the stand-in counts more sectors than ideal";
  ASSERT_FALSE(Lines(result.err).empty());
  EXPECT_THAT(Lines(result.err).back(), EndsWith("is the verdict"));
  EXPECT_EQ(report_["summary"]["launches"], 2);
  EXPECT_EQ(report_["recordings"].size(), 1U);
  EXPECT_EQ(report_["recordings"][0]["ended"], "");
  EXPECT_EQ(report_["recordings"][0]["exit_code"], 0);
}

TEST_F(Launched, AProgramsOwnExitCodeWinsOverItsFindings) {
  const ProcessResult result =
      Run({COALCHECK_CUDA_HOST, COALCHECK_MODULE, "37", "context", "launch"});
  EXPECT_EQ(result.exit_code, 37);
  EXPECT_THAT(result.err, HasSubstr("exit code 37 is the program's own"));
  EXPECT_EQ(report_["launch"]["shell_sees"]["decided_by"], "program");
}

TEST_F(Launched, ProcessesOfOneProgramAreSummedIntoOneReport) {
  const std::string host = Host("context launch");
  Run({"/bin/sh", "-c", host + " & " + host + " & " + host + "; wait"});
  EXPECT_EQ(report_["recordings"].size(), 3U);
  EXPECT_EQ(report_["summary"]["launches_checked"], 3);
}

TEST_F(Launched, AProcessThatIsKilledLeavesItsWindowsAndItsSignal) {
  const ProcessResult result =
      Run({COALCHECK_CUDA_HOST, COALCHECK_MODULE, "0", "context", "launch", "kill"});
  EXPECT_EQ(result.signal, SIGKILL);
  ASSERT_EQ(report_["recordings"].size(), 1U);
  EXPECT_EQ(report_["recordings"][0]["windows"], 1);
  EXPECT_EQ(report_["recordings"][0]["signal"], SIGKILL);
  EXPECT_THAT(result.err, EndsWith("; ended by SIGKILL, as the program was\n"));
}

TEST_F(Launched, AProgramWithoutAContextIsExitCodeThree) {
  const ProcessResult result = Run({COALCHECK_CUDA_HOST, COALCHECK_MODULE, "0"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(report_["recordings"], IsEmpty());
  EXPECT_THAT(result.err, AllOf(HasSubstr("nothing was checked"), HasSubstr("made no recording")));
}

TEST_F(Launched, FunctionsThatOnlyANewerCuptiKnowsArePassedOverAndCounted) {
  const std::vector<std::string> words = {COALCHECK_CUDA_HOST, COALCHECK_MODULE, "0", "context",
                                          "launch"};
  environment_["STAND_IN_KNOWN_CALLBACKS"] = "800";  // cuCtxSynchronize_v2, the last of the table
  Run(words);
  EXPECT_EQ(report_["summary"]["launches_checked"], 1);
  ASSERT_THAT(report_["recordings"][0]["losses"], SizeIs(1));
  EXPECT_EQ(report_["recordings"][0]["losses"][0]["what"], recording::loss::kUnknownCallback);
  EXPECT_EQ(report_["recordings"][0]["losses"][0]["count"], 1);
  environment_["STAND_IN_KNOWN_CALLBACKS"] = "1";
  EXPECT_THAT(Run(words).err, HasSubstr("nothing will be checked"));
}

TEST_F(Launched, WhatTheLibrarySaysComesBeforeTheLastLine) {
  environment_["STAND_IN_SUBSCRIBE"] = "39";
  const ProcessResult result =
      Run({COALCHECK_CUDA_HOST, COALCHECK_MODULE, "0", "context", "launch"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("the-other-profiler"));
  EXPECT_THAT(Lines(result.err).back(), HasSubstr("nothing was checked"));
}

}  // namespace
}  // namespace coalcheck::testing

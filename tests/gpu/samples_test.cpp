// SPDX-License-Identifier: Apache-2.0
//
// The samples live: run on the GPU under the agent, reported, and held against the expectations
// beside their lines and their own count.
#include "tests/support/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/check.h"
#include "tests/support/gpu.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::support {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> CommandOf(const Sample& sample) {
  if (sample.is_python) return {"python3", sample.Program()};
  return {sample.Program()};
}

class LiveSample : public testing::TestWithParam<Sample> {
 protected:
  // Runs the sample under the agent and reads the report into `reported_`.
  void RunUnderTheAgent() {
    const fs::path recording = scratch_.path() / "recording";
    const ProgramResult run = RunProgram(
        CommandOf(GetParam()),
        {{"CUDA_INJECTION64_PATH", COALCHECK_AGENT},
         {"COALCHECK_OPTIONS", "--no-report --sampling first --recording " + recording.string()}});
    if (run.exit_code == kNoGpu) {
      // A script may lack CuPy instead, which is no reason to fail.
      if (GpuIsRequired() && !GetParam().is_python) FAIL() << run.err;
      GTEST_SKIP() << run.err;
    }
    ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
    ASSERT_TRUE(fs::exists(recording / "records.jsonl")) << run.err;
    const ProgramResult report =
        RunProgram({COALCHECK_COMMAND, "report", "--format", "json", "--exit-zero", "--source-root",
                    COALCHECK_SOURCE_DIR, recording});
    ASSERT_EQ(report.exit_code, 0) << report.err;
    auto accesses = AccessesOfReport(report.out);
    ASSERT_TRUE(accesses.ok()) << accesses.status();
    reported_ = *std::move(accesses);
    ForgetTemporaryFiles(GetParam(), reported_);
  }

  ScratchFolder scratch_;
  std::vector<ObservedAccess> reported_;
};

TEST_P(LiveSample, IsReportedAsExpectedAndCounted) {
  const Sample& sample = GetParam();
  if (!fs::exists(sample.Program())) {
    if (GpuIsRequired()) FAIL() << sample.Program() << " is not built";
    GTEST_SKIP() << "the samples are not built: no nvcc, or COALCHECK_BUILD_SAMPLES is off";
  }
  RunUnderTheAgent();
  if (IsSkipped() || HasFatalFailure()) return;
  const auto expectations = ExpectationsOf(sample);
  ASSERT_TRUE(expectations.ok()) << expectations.status();
  EXPECT_THAT(CheckExpectations(*expectations, reported_), testing::IsEmpty());
  if (sample.is_python) return;
  const ProgramResult count = RunProgram({sample.Program(), "--count"});
  const auto counted = AccessesOfCount(count.out);
  ASSERT_TRUE(counted.ok()) << counted.status();
  EXPECT_THAT(CompareWithCount(reported_, *counted), testing::IsEmpty());
}

// The program `name` under the bare environment variable, as the README shows it.
ProgramResult RunBare(const std::string& name, const std::string& options = "") {
  return RunProgram({std::string(COALCHECK_BINARY_DIR) + "/samples/" + name},
                    {{"CUDA_INJECTION64_PATH", COALCHECK_AGENT},
                     {"COALCHECK_COMMAND", COALCHECK_COMMAND},
                     {"COALCHECK_OPTIONS",
                      std::string("--source-root ") + COALCHECK_SOURCE_DIR + " " + options}});
}

// The sample's own line, with or without the agent.
const char* const kOwnOutput = "^transpose_[a-z]+ +[0-9.]+ ms[^\n]*\n$";

TEST(LiveReport, TheNaiveTransposeIsNamedAtItsStoreAndNothingElse) {
  const ProgramResult run = RunBare("transpose_naive");
  if (run.exit_code == kNoGpu) {
    if (GpuIsRequired()) FAIL() << run.err;
    GTEST_SKIP() << run.err;
  }
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, testing::ContainsRegex(kOwnOutput));
  EXPECT_THAT(run.err,
              testing::StartsWith("samples/transpose_naive/transpose_naive.cu:17: store "));
  EXPECT_THAT(run.err, testing::ContainsRegex("coalcheck: 1 finding \\(1 store\\)[^\n]*\n$"));
}

TEST(LiveReport, TheTiledTransposeIsCleanAndEndsAsItWould) {
  const ProgramResult run = RunBare("transpose_tiled");
  if (run.exit_code == kNoGpu) {
    if (GpuIsRequired()) FAIL() << run.err;
    GTEST_SKIP() << run.err;
  }
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, testing::ContainsRegex(kOwnOutput));
  EXPECT_THAT(run.err, testing::ContainsRegex("coalcheck: every access is clean[^\n]*\n$"));
}

TEST(LiveReport, ABadLaunchInsideARangeIsFoundOnceAndBothOfThemWithoutTheFilter) {
  const ProgramResult whole = RunBare("nvtx_ranges");
  if (whole.exit_code == kNoGpu) {
    if (GpuIsRequired()) FAIL() << whole.err;
    GTEST_SKIP() << whole.err;
  }
  EXPECT_THAT(whole.err, testing::ContainsRegex("coalcheck: 2 findings \\(2 loads\\)[^\n]*\n$"));
  const ProgramResult range = RunBare("nvtx_ranges", "--nvtx-include step/");
  EXPECT_EQ(range.exit_code, 0);
  EXPECT_THAT(range.err, testing::ContainsRegex("coalcheck: 1 finding \\(1 load\\)[^\n]*\n$"));
  EXPECT_THAT(range.err, testing::HasSubstr("copy_inside"));
  EXPECT_THAT(range.out, testing::HasSubstr("copy_outside"));  // it ran all the same
}

INSTANTIATE_TEST_SUITE_P(Samples, LiveSample, testing::ValuesIn(AllSamples()),
                         [](const auto& sample) { return NameOf(sample.param); });

}  // namespace
}  // namespace coalcheck::support

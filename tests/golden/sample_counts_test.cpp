// SPDX-License-Identifier: Apache-2.0
//
// Each sample's own count of its addresses fulfils the expectations beside its lines, and its
// recording has these counts. Needs nvcc at build time and no GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/golden/replay.h"
#include "tests/support/check.h"
#include "tests/support/run_program.h"
#include "tests/support/samples.h"

namespace coalcheck::support {
namespace {

class SampleCount : public testing::TestWithParam<Sample> {};

TEST_P(SampleCount, FulfilsTheExpectationsBesideItsLinesAndIsTheRecordings) {
  const Sample& sample = GetParam();
  if (sample.is_python) GTEST_SKIP() << "a script counts nothing itself";
  if (!std::filesystem::exists(sample.Program()))
    GTEST_SKIP() << "the samples are not built: no nvcc, or COALCHECK_BUILD_SAMPLES is off";
  const ProgramResult run = RunProgram({sample.Program(), "--count"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto counted = AccessesOfCount(run.out);
  ASSERT_TRUE(counted.ok()) << counted.status();
  const auto expectations = ExpectationsOf(sample);
  ASSERT_TRUE(expectations.ok()) << expectations.status();
  EXPECT_FALSE(expectations->empty());
  EXPECT_THAT(CheckExpectations(*expectations, *counted), testing::IsEmpty());
  if (!IsRecorded(sample)) return;  // tests/rules/without_recording.txt says why
  auto reported = ReportOn(sample.name);
  ForgetTemporaryFiles(sample, reported);
  EXPECT_THAT(CompareWithCount(reported, *counted), testing::IsEmpty());
}

TEST_P(SampleCount, RefusesWrongArgumentsWithUsage) {
  const Sample& sample = GetParam();
  if (sample.is_python) GTEST_SKIP() << "argparse does it";
  if (!std::filesystem::exists(sample.Program()))
    GTEST_SKIP() << "the samples are not built: no nvcc, or COALCHECK_BUILD_SAMPLES is off";
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--bogus"},
                                                {"--n"},
                                                {"--n", "0"},
                                                {"--n", "x"},
                                                {"--n", "99999999999999999999"},
                                                {"--launches", "-1"}}) {
    std::vector<std::string> words = {sample.Program()};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const ProgramResult run = RunProgram(words);
    EXPECT_EQ(run.exit_code, 2) << wrong.back();
    EXPECT_THAT(run.err, testing::HasSubstr("--launches N"));
  }
  EXPECT_EQ(RunProgram({sample.Program(), "--help"}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleCount, testing::ValuesIn(AllSamples()),
                         [](const auto& sample) { return NameOf(sample.param); });

}  // namespace
}  // namespace coalcheck::support

// SPDX-License-Identifier: Apache-2.0
//
// Replays the recordings that were made on a GPU: `coalcheck report` must find what is expected
// beside the samples' lines and nothing else, with the counts that the samples count themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/check.h"
#include "tests/support/run_program.h"
#include "tests/support/samples.h"

namespace coalcheck::support {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = COALCHECK_SOURCE_DIR;
const fs::path kRecordings = kSource / "tests" / "recordings";
// Where scripts/record compiles the samples, so that recordings hold no path of anybody's machine.
constexpr const char* kCompiledIn = "/tmp/coalcheck";

bool IsRecorded(const Sample& sample) {
  return fs::exists(kRecordings / sample.name / "records.jsonl");
}

// The line about `sample` in the list of those that have no recording; empty without one.
std::string ReasonForNone(const Sample& sample) {
  std::ifstream list(kSource / "tests" / "rules" / "without_recording.txt");
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with(sample.name + ":")) return line;
  }
  return "";
}

// Empty when there is something to replay, otherwise why not. A missing recording is an error as
// soon as any sample has one, unless a reason is on the list.
std::string ReasonToSkip(const Sample& sample) {
  if (IsRecorded(sample)) return "";
  const std::string reason = ReasonForNone(sample);
  if (!reason.empty()) return "no recording of " + reason;
  for (const Sample& other : AllSamples()) {
    if (!IsRecorded(other)) continue;
    ADD_FAILURE() << kRecordings / sample.name << " is missing; scripts/record makes it on a GPU";
    break;
  }
  return "no sample has a recording in tests/recordings yet; scripts/record makes them on a GPU";
}

class Recording : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    const std::string reason = ReasonToSkip(GetParam());
    if (!reason.empty()) GTEST_SKIP() << reason;
    const ProgramResult run =
        RunProgram({COALCHECK_COMMAND, "report", "--format", "json", "--exit-zero", "--source-root",
                    kSource, "--path-map", std::string(kCompiledIn) + "=" + kSource.string(),
                    kRecordings / GetParam().name});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    auto accesses = AccessesOfReport(run.out);
    ASSERT_TRUE(accesses.ok()) << accesses.status();
    reported_ = *std::move(accesses);
    ForgetTemporaryFiles(GetParam(), reported_);
  }

  std::vector<ObservedAccess> reported_;
};

TEST_P(Recording, FulfilsTheExpectationsBesideTheSamplesLines) {
  const auto expectations = ExpectationsOf(GetParam());
  ASSERT_TRUE(expectations.ok()) << expectations.status();
  EXPECT_THAT(CheckExpectations(*expectations, reported_), testing::IsEmpty());
}

TEST_P(Recording, HasExactlyTheCountsOfTheSamplesAddresses) {
  if (GetParam().is_python) GTEST_SKIP() << "a script counts nothing itself";
  if (!fs::exists(GetParam().Program()))
    GTEST_SKIP() << "the samples are not built: no nvcc, or COALCHECK_BUILD_SAMPLES is off";
  const ProgramResult run = RunProgram({GetParam().Program(), "--count"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto counted = AccessesOfCount(run.out);
  ASSERT_TRUE(counted.ok()) << counted.status();
  EXPECT_THAT(CompareWithCount(reported_, *counted), testing::IsEmpty());
}

TEST_P(Recording, SaysWhereItComesFrom) {
  std::ifstream file(kRecordings / GetParam().name / "provenance.json");
  std::ostringstream text;
  text << file.rdbuf();
  for (const char* key : {"gpu", "driver", "toolkit", "commit", "date", "command"}) {
    EXPECT_THAT(text.str(), testing::HasSubstr("\"" + std::string(key) + "\": \""));
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Recording, testing::ValuesIn(AllSamples()),
                         [](const auto& sample) { return NameOf(sample.param); });

}  // namespace
}  // namespace coalcheck::support

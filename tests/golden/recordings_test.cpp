// SPDX-License-Identifier: Apache-2.0
//
// Replays the recordings that were made on a GPU: `coalcheck report` must find what is expected
// beside the samples' lines and nothing else. That it has the counts which the samples count
// themselves is a test of SampleCount.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "tests/golden/replay.h"
#include "tests/support/check.h"
#include "tests/support/run_program.h"
#include "tests/support/samples.h"

namespace coalcheck::support {
namespace {

namespace fs = std::filesystem;

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
    reported_ = ReportOn(GetParam().name);
    ForgetTemporaryFiles(GetParam(), reported_);
  }

  std::vector<ObservedAccess> reported_;
};

TEST_P(Recording, FulfilsTheExpectationsBesideTheSamplesLines) {
  const auto expectations = ExpectationsOf(GetParam());
  ASSERT_TRUE(expectations.ok()) << expectations.status();
  EXPECT_THAT(CheckExpectations(*expectations, reported_), testing::IsEmpty());
}

TEST_P(Recording, SaysWhereItComesFrom) {
  std::ifstream file(kRecordings / GetParam().name / "provenance.json");
  std::ostringstream text;
  text << file.rdbuf();
  for (const char* key : {"gpu", "driver", "toolkit", "commit", "date", "command"}) {
    EXPECT_THAT(text.str(), testing::HasSubstr("\"" + std::string(key) + "\": \""));
  }
}

TEST_P(Recording, HasAFormulaForEveryAddressAndContradictsNoCount) {
  const ProgramResult run =
      RunProgram({COALCHECK_COMMAND, "report", "--format", "json", "--exit-zero", "--source-root",
                  kSource, kRecordings / GetParam().name});
  const auto report = nlohmann::json::parse(run.out);
  std::size_t instructions = 0;
  for (const auto& access : report["accesses"]) {
    if (access["line"].is_null()) continue;
    for (const auto& instruction : access["instructions"]) {
      const auto& address = instruction["address"];
      // A script's kernels carry no PTX.
      EXPECT_TRUE(GetParam().is_python || address["expression"].is_string()) << instruction;
      EXPECT_NE(address["standing"], "contradicted") << instruction;
      ++instructions;
    }
  }
  EXPECT_GT(instructions, 0U);
}

// The loads of `kernel` in the recording of `sample`: requests and sectors of one launch.
std::pair<std::uint64_t, std::uint64_t> LoadsOf(const std::string& sample,
                                                const std::string& kernel) {
  for (const ObservedAccess& access : ReportOn(sample)) {
    if (access.kernel == kernel && access.kind == "load") return {access.requests, access.sectors};
  }
  return {0, 0};
}

// Textbooks print these numbers: 2^26 floats, and a matrix of 16384 by 16384.
TEST(PublishedCounts, AreThoseOfTheRecordings) {
  EXPECT_EQ(LoadsOf("coalesced_copy", "coalesced_copy"), std::pair(2097152UL, 8388608UL));
  EXPECT_EQ(LoadsOf("strided_copy", "strided_copy"), std::pair(2097152UL, 67108864UL));
  EXPECT_EQ(LoadsOf("matrix_update", "update_row_major"), std::pair(8388608UL, 33554432UL));
  EXPECT_EQ(LoadsOf("matrix_update", "update_column_major"), std::pair(8388608UL, 268435456UL));
}

// The parameter of the class of patterns that the loads of copy_stride<N> have, "32-36".
std::string StrideNamed(const std::vector<ObservedAccess>& reported, int stride) {
  for (const ObservedAccess& access : reported) {
    if (access.kernel != "copy_stride<" + std::to_string(stride) + ">" || access.kind != "load") {
      continue;
    }
    const std::string pattern = access.pattern.value_or("");
    return pattern.substr(pattern.rfind(':') + 1);
  }
  return "not seen";
}

// The samples' comments are about the patterns of the sweep; this is about the bytes.
TEST(StrideSweep, EveryStrideIsInAnIntervalOfTwoStrides) {
  const std::vector<ObservedAccess> reported = ReportOn("stride_sweep");
  for (int stride = 2; stride < 32; ++stride) {
    int low = 0;
    int high = 0;
    const std::string named = StrideNamed(reported, stride);
    const int read = std::sscanf(named.c_str(), "%d-%d", &low, &high);
    ASSERT_GE(read, 1) << named;
    if (read == 1) high = low;
    EXPECT_LE(low, 4 * stride) << named;
    EXPECT_GE(high, 4 * stride) << named;
    EXPECT_LE(high - low, stride <= 8 ? 0 : 4) << named;
  }
}

// The number in "copy_stride<12>".
std::uint64_t ParameterOf(const std::string& kernel) {
  return std::stoull(kernel.substr(kernel.find('<') + 1));
}

TEST(Patterns, EveryStrideAndEveryOffsetIsNamedExactly) {
  int named = 0;
  for (const ObservedAccess& access : ReportOn("stride_sweep")) {
    const std::uint64_t stride = ParameterOf(access.kernel);
    if (access.kind != "load" || stride < 2) continue;
    EXPECT_EQ(access.pattern, "strided:" + std::to_string(4 * stride)) << access.kernel;
    ++named;
  }
  for (const ObservedAccess& access : ReportOn("misaligned")) {
    const std::uint64_t off_sector = 4 * ParameterOf(access.kernel) % 32;
    if (access.kind != "load" || off_sector == 0) continue;
    EXPECT_EQ(access.pattern, "misaligned:" + std::to_string(off_sector)) << access.kernel;
    ++named;
  }
  EXPECT_EQ(named, 31 + 28);
}

INSTANTIATE_TEST_SUITE_P(Samples, Recording, testing::ValuesIn(AllSamples()),
                         [](const auto& sample) { return NameOf(sample.param); });

}  // namespace
}  // namespace coalcheck::support

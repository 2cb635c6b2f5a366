// SPDX-License-Identifier: Apache-2.0
//
// The same source built in other ways gives an empty difference to the baseline. The machine code
// is the compiler's; the counts are made up, since no GPU runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/comparison/difference.h"
#include "libcoalcheck/findings/sources/stored_code.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::comparison {
namespace {

using ::testing::IsEmpty;

std::string ReadAll(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Lines of files on disk.
class Sources : public cubin::SourceText {
 public:
  std::optional<std::uint32_t> LineCount(std::string_view file) override {
    Read(std::string(file));
    return files_.LineCount(file);
  }
  std::optional<std::string> Line(std::string_view file, std::uint32_t line) override {
    Read(std::string(file));
    return files_.Line(file, line);
  }

 private:
  void Read(const std::string& file) {
    std::ifstream stream(file);
    if (files_.files.contains(file) || !stream) return;
    for (std::string line; std::getline(stream, line);) files_.files[file].push_back(line);
  }
  findings::FakeSources files_;
};

class OneCubin : public findings::CubinStore {
 public:
  explicit OneCubin(std::string bytes) : bytes_(std::move(bytes)) {}
  absl::StatusOr<std::string> Load(CubinId) override { return bytes_; }

 private:
  std::string bytes_;
};

// A run that counted every access of every kernel once, each a request of 32 sectors.
findings::Report ReportOnBuild(const std::string& name) {
  const std::string bytes = ReadAll(std::string(COALCHECK_BUILDS_DIR "/") + name + ".cubin");
  const CubinId id = HashCubin(bytes);
  const auto cubin = cubin::Cubin::Parse(bytes);
  EXPECT_TRUE(cubin.ok()) << name << ": " << cubin.status();
  recording::RecordedRun run = findings::MakeRun();
  for (const cubin::Function& function : cubin->functions()) {
    std::vector<recording::CountRow> rows;
    for (const cubin::GlobalAccess& access : function.accesses) {
      rows.push_back(findings::MakeRow(access.pc.value(), 1, 32, 4));
    }
    run.windows.push_back(
        findings::MakeWindow(run.windows.size() + 1, std::string(function.name), rows, id));
  }
  OneCubin store(bytes);
  findings::StoredCode code({&store});
  Sources sources;
  findings::Aggregate aggregate;
  findings::AddRun(name, run, aggregate);
  const findings::PathMap no_map;
  return findings::MakeReport(std::move(aggregate), code, {{"/"}, no_map, sources}, {});
}

class Rebuilt : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (std::string(COALCHECK_BUILDS).empty()) GTEST_SKIP() << "there is no nvcc";
  }
};

findings::Report HeldAgainstPlain(const std::string& build, std::size_t& known) {
  const Baseline baseline = BaselineOf(ReportOnBuild("plain"));
  known = baseline.findings.size();
  findings::Report report = ReportOnBuild(build);
  ApplyBaseline(baseline, "base.txt", findings::kDefaultTolerance, report);
  return report;
}

TEST_P(Rebuilt, GivesAnEmptyDifferenceToTheBaseline) {
  std::size_t known = 0;
  const findings::Report report = HeldAgainstPlain(GetParam(), known);
  ASSERT_EQ(known, 12U);
  EXPECT_EQ(report.baseline->fresh, 0U);
  EXPECT_EQ(report.baseline->worse, 0U);
  EXPECT_EQ(report.baseline->known, known);
  EXPECT_THAT(report.baseline->vanished, IsEmpty());
  EXPECT_THAT(report.baseline->not_seen, IsEmpty());
  for (const findings::Place& place : report.places) {
    EXPECT_FALSE(place.is_finding) << place.identity.kernel << ": " << place.identity.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Rebuilt,
                         ::testing::Values("plain", "moved", "elsewhere", "relocatable",
                                           "optimized_1", "optimized_2", "optimized_3",
                                           "few_registers", "sm_75", "sm_80", "sm_86", "sm_89",
                                           "sm_100", "sm_120"),
                         [](const auto& build) { return build.param; });

}  // namespace
}  // namespace coalcheck::comparison

// SPDX-License-Identifier: Apache-2.0
//
// A report that was written as JSON compares as the report does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/comparison/difference.h"
#include "libcoalcheck/output/json/json_writer.h"
#include "tests/unit/comparison/runs.h"

namespace coalcheck::comparison {
namespace {

using ::testing::HasSubstr;

std::string JsonOf(const Program& program) {
  const findings::Report report = program.Make();
  return output::JsonReport(report, verdict::Judge(report));
}

TEST(JsonReport, IsEqualToTheReportItWasWrittenFrom) {
  const auto read = ReadJsonReport(JsonOf({}), "base.json");
  ASSERT_TRUE(read.ok()) << read.error();
  const MeasuredRun direct = Program().Measured();
  ASSERT_EQ(read.value().places.size(), direct.places.size());
  for (std::size_t i = 0; i < direct.places.size(); ++i) {
    const Measured& was = direct.places[i];
    const Measured& is = read.value().places[i];
    EXPECT_EQ(is.fingerprint, was.fingerprint);
    EXPECT_EQ(is.anchor, was.anchor);
    EXPECT_EQ(is.counts, was.counts);
    EXPECT_EQ(is.is_finding, was.is_finding);
    EXPECT_EQ(is.launches_checked, was.launches_checked);
    EXPECT_EQ(std::tie(is.kind, is.path, is.line, is.kernel, is.text),
              std::tie(was.kind, was.path, was.line, was.kernel, was.text));
  }
  EXPECT_EQ(read.value().kernels, direct.kernels);
  EXPECT_EQ(read.value().launches_checked, direct.launches_checked);
}

TEST(JsonReport, OfAPredictionHasKernelsThatWereNotLaunched) {
  findings::Report report = Program().Make();
  report.prediction.emplace();
  for (findings::Access& access : report.accesses) access.predicted.emplace();  // unknown
  for (findings::KernelCoverage& kernel : report.kernels) kernel.checked = Launches(0);
  const auto read = ReadJsonReport(output::JsonReport(report, verdict::Judge(report)), "new.json");
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_TRUE(read.value().is_predicted);
  EXPECT_EQ(read.value().kernels.size(), 2U);
  EXPECT_FALSE(read.value().places.front().is_known);
}

TEST(JsonReport, RemembersLinesThatAreOthersToday) {
  Program today;
  today.lines.insert(today.lines.begin(), 7, "");
  today.at = {9, 10, 13};
  const auto read = ReadJsonReport(JsonOf({}), "base.json");
  const Comparison comparison = Compare(read.value(), today.Measured(), kDefaultTolerance);
  EXPECT_EQ(comparison.Number(Change::kUnchanged), 2U);
}

TEST(JsonReport, IsRefusedWhereItsValuesWouldFillTheMemory) {
  const std::string head =
      R"({"format":"coalcheck-report","major":1,"places":[],"kernels":[],"x":)";
  std::string zeros;
  for (int i = 0; i < 16'000'000; ++i) zeros += "0,";
  EXPECT_THAT(ReadJsonReport(head + "[" + zeros + "0]}", "x").error(),
              HasSubstr("x: the report is too large: 16"));
  const std::string deep(8'000'000, '[');
  EXPECT_THAT(ReadJsonReport(head + deep + deep, "x").error(), HasSubstr("too large"));
  EXPECT_TRUE(ReadJsonReport(head + '"' + zeros + deep + "\"}", "x").ok()) << "text is no values";
}

TEST(JsonReport, SaysWhatItCannotUse) {
  EXPECT_THAT(ReadJsonReport("", "x").error(), HasSubstr("not a JSON report of coalcheck"));
  EXPECT_THAT(ReadJsonReport("[1]", "x").error(), HasSubstr("not a JSON report"));
  EXPECT_THAT(ReadJsonReport(R"({"format":"coalcheck-report","major":2})", "x").error(),
              HasSubstr("another major version"));
  EXPECT_THAT(ReadJsonReport(R"({"format":"coalcheck-report","major":1})", "x").error(),
              HasSubstr("it has no places"));
  EXPECT_THAT(
      ReadJsonReport(R"({"format":"coalcheck-report","major":1,"places":[7],"kernels":[]})", "x")
          .error(),
      HasSubstr("no array of objects"));
  EXPECT_THAT(ReadJsonReport(
                  R"({"format":"coalcheck-report","major":1,"places":[{"fingerprint":"x"}]})", "x")
                  .error(),
              HasSubstr("\"fingerprint\" is not sixteen hexadecimal digits"));
}

}  // namespace
}  // namespace coalcheck::comparison

// SPDX-License-Identifier: Apache-2.0
//
// Findings under the headings of ranges, in both reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/json/json_writer.h"
#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The transpose in range `solver@step` (1 of 200 launches), and a clean one outside.
struct InRanges : TransposeReport {
  InRanges() {
    run.range_sets = {{RangeSetId(1), {{"solver", "step", RangeKind::kPushPop}}}};
    run.windows[0].inside[0].shape.ranges = RangeSetId(1);
    run.tallies[0].shape.ranges = RangeSetId(1);
    run.windows.push_back(findings::MakeWindow(2, kTranspose, {findings::MakeRow(16, 1, 4, 4)}));
  }
  std::string Text(TextOptions options = {}) {
    const findings::Report report = MakeGrouped();
    return Written(Format::kText, {report, verdict::Judge(report), sources, options});
  }
  findings::Report MakeGrouped() { return findings::GroupedReportOn({run}, code, sources); }
};

TEST(ByRangeText, FindingsStandUnderTheHeadingOfTheirRange) {
  InRanges sample;
  EXPECT_THAT(
      sample.Text(),
      StartsWith("in range solver@step: checked 1 of 200 launches, 18.9\u202FM sectors, 77.8 % of "
                 "them wasted\n"
                 "a.cu:2: store wastes 87.5 %: 32 sectors a request, 4 needed\n"));
  EXPECT_THAT(sample.Text(), HasSubstr("(4 sectors a request at best)\n"
                                       "outside every range: checked 1 of 1 launch, 4 sectors, 0 % "
                                       "of them wasted\n"
                                       "   no finding\n"
                                       "coalcheck: "));
  EXPECT_THAT(sample.Text(), Not(HasSubstr("  range "))) << "the table says the same";
}

TEST(ByRangeText, WhatIsInNoGroupIsSaid) {
  InRanges sample;
  for (std::uint32_t i = 2; i < 30; ++i) {
    sample.run.range_sets.push_back(
        {RangeSetId(i), {{"", "r" + std::to_string(i), RangeKind::kPushPop}}});
    sample.run.windows.push_back(
        findings::MakeWindow(i + 1, kTranspose, {findings::MakeRow(16, 1, 5, 4)}));
    sample.run.windows.back().inside[0].shape.ranges = RangeSetId(i);
  }
  EXPECT_THAT(sample.Text(),
              HasSubstr("coalcheck: … and 9 more ranges that wasted less\n"
                        "coalcheck: 9 windows are in no group: launches of several ranges inside, "
                        "or of a range not listed\n"));
}

TEST(ByRangeText, ThePrintLimitIsOverAllGroups) {
  InRanges sample;
  sample.run.windows[1].functions[0].rows = {findings::MakeRow(16, 1, 32, 4)};
  const std::string text = sample.Text({.print_limit = 1, .color = false});
  EXPECT_THAT(text, HasSubstr("coalcheck: 1 more finding not printed (--print-limit)\n"));
  EXPECT_THAT(text, HasSubstr("   1 finding is not printed: --print-limit\n"));
  EXPECT_THAT(text, Not(HasSubstr("no finding")));
}

TEST(ByRangeText, JsonHasTheFindingsOfEachGroup) {
  InRanges sample;
  const findings::Report report = sample.MakeGrouped();
  const auto json = nlohmann::json::parse(JsonReport(report, verdict::Judge(report)));
  ASSERT_EQ(json["by_range"].size(), 2U);
  const nlohmann::json& step = json["by_range"][0];
  EXPECT_EQ(step["domain"], "solver");
  EXPECT_EQ(step["name"], "step");
  EXPECT_EQ(step["launches"], 200);
  EXPECT_EQ(step["windows"], 1);
  ASSERT_EQ(step["findings"].size(), 1U);
  EXPECT_EQ(step["findings"][0]["file"], findings::kSource);
  EXPECT_EQ(step["findings"][0]["line"], 2);
  EXPECT_EQ(step["findings"][0]["kind"], "store");
  EXPECT_EQ(step["findings"][0]["wasted_share_percent"], 87.5);
  EXPECT_TRUE(json["by_range"][1]["name"].is_null());
  EXPECT_TRUE(json["by_range"][1]["findings"].empty());
}

TEST(ByRangeText, WithoutGroupingTheArrayIsEmpty) {
  InRanges sample;
  const findings::Report report = sample.Make();
  const auto json = nlohmann::json::parse(JsonReport(report, verdict::Judge(report)));
  EXPECT_TRUE(json["by_range"].empty());
}

}  // namespace
}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// A comparison as people and programs read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcoalcheck/output/diff/diff_writers.h"
#include "tests/unit/comparison/runs.h"

namespace coalcheck::output {
namespace {

using comparison::Comparison;
using comparison::Program;
using ::testing::HasSubstr;
using ::testing::Not;

Comparison Sample() {
  Program after;
  after.lines[1] = "  p[i|0] = 1;";
  after.sectors = {4, 16, 4};
  return comparison::Compare(Program().Measured("base.rec"), after.Measured("new.rec"), 0.01);
}

TEST(DiffText, NamesEachChangeWithBothNumbers) {
  EXPECT_EQ(DiffText(Sample(), Style(false)),
            "a.cu:3: store worsened: wastes 4 -> 12 sectors per request (50 % -> 75 %)\n"
            "   in copy; 40 -> 120 sectors wasted in each launch checked\n"
            "a.cu:2: store improved: wastes 28 -> 0 sectors per request (87.5 % -> 0 %)\n"
            "   in copy; 280 -> 0 sectors wasted in each launch checked\n"
            "   the line is another one: p[i|0]=1;\n"
            "coalcheck: 2 of 2 launches checked in base.rec; 2 of 2 launches checked in new.rec; "
            "waste is compared per request, and per launch checked\n"
            "coalcheck: cost not compared: what warps wait for was not sampled in either run\n"
            "coalcheck: 1 worsened, 1 improved\n");
}

TEST(DiffText, SaysWhatTheVerdictOfEachRunRestsOnAndOnceWhatBothDo) {
  Comparison comparison = Sample();
  comparison.before.notes = {"rules of a.toml"};
  comparison.after.notes = {"rules of a.toml", "library code,\x1b[2J not judged"};
  const std::string text = DiffText(comparison, Style(false));
  EXPECT_THAT(text, HasSubstr("coalcheck: both runs: rules of a.toml\n"));
  EXPECT_THAT(text, HasSubstr("coalcheck: new.rec: library code,?[2J not judged\n"));
  EXPECT_THAT(text, Not(HasSubstr("base.rec: rules")));
  EXPECT_THAT(DiffMarkdown(comparison), HasSubstr("both runs: rules of a.toml"));
  const auto json = nlohmann::json::parse(DiffJson(comparison));
  EXPECT_EQ(json["base"]["notes"][0], "rules of a.toml");
}

TEST(DiffText, NamesNoMoreNotesOfARunThanOthersDo) {
  Comparison comparison = Sample();
  comparison.after.notes.resize(510);
  for (std::size_t i = 0; i < 510; ++i) comparison.after.notes[i] = std::to_string(i);
  EXPECT_THAT(DiffText(comparison, Style(false)), HasSubstr("new.rec: … and 500 more notes\n"));
}

TEST(DiffMarkdown, EscapesWhatWouldEndACell) {
  Comparison comparison = Sample();
  comparison.differences[0].after->kernel = "a|b<script>";
  const std::string text = DiffMarkdown(comparison);
  EXPECT_THAT(text, HasSubstr("### coalcheck: 1 worsened, 1 improved\n"));
  EXPECT_THAT(text,
              HasSubstr("| worsened | a.cu:3 | store | a\\|b&lt;script&gt; | 4 -&gt; 12 sectors"));
}

TEST(DiffText, IsTextWhateverAReportSays) {
  Comparison comparison = Sample();
  comparison.differences[0].after->kind = "\x1b[2J\n##[error] www.x @team";
  EXPECT_THAT(DiffText(comparison, Style(false)),
              HasSubstr(": ?[2J?# #[error] www.x @team worsened"));
  EXPECT_THAT(DiffMarkdown(comparison),
              HasSubstr("| ?\\[2J?#<!-- --> #<!-- -->\\[error\\] www<!-- -->.x @<!-- -->team |"));
}

TEST(DiffJson, HoldsBothSidesOfEveryDifference) {
  const auto json = nlohmann::json::parse(DiffJson(Sample()));
  EXPECT_EQ(json["summary"]["worsened"], 1);
  EXPECT_EQ(json["summary"]["not_seen"], 0);
  ASSERT_EQ(json["differences"].size(), 2U);
  EXPECT_EQ(json["differences"][0]["base"]["wasted_sectors_per_request"], 4);
  EXPECT_EQ(json["differences"][0]["new"]["wasted_sectors_per_request"], 12);
  EXPECT_EQ(json["differences"][1]["line_text_changed"], true);
}

TEST(DiffText, CostIsComparedWhereBothRunsWereSampled) {
  Comparison comparison = Sample();
  comparison.before.has_cost = comparison.after.has_cost = true;
  comparison.differences[0].before->waiting = 0.12;
  comparison.differences[0].after->waiting = 0.3;
  const std::string text = DiffText(comparison, Style(false));
  EXPECT_THAT(text, HasSubstr("; 12 % -> 30 % of the program's samples wait for them\n"));
  EXPECT_THAT(text, Not(HasSubstr("cost not compared")));
}

}  // namespace
}  // namespace coalcheck::output

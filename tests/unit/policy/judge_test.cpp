// SPDX-License-Identifier: Apache-2.0
//
// Which accesses rules and suppressions make findings, and that each decision says why.
#include "libcoalcheck/policy/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "libcoalcheck/policy/project_file.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::policy {
namespace {

using findings::Report;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Every file, of lines of a kilobyte.
struct BlankFile : cubin::SourceText {
  std::uint32_t lines = 300'000;
  std::optional<std::uint32_t> LineCount(std::string_view /*file*/) override { return lines; }
  std::optional<std::string> Line(std::string_view /*file*/, std::uint32_t /*line*/) override {
    return std::string(1000, ' ');
  }
};

// One store of 8 sectors for each of 10 requests where 4 would do, in kernel "app::copy", on
// line 2.
class JudgeTest : public ::testing::Test {
 protected:
  JudgeTest() {
    sources_.files[findings::kSource] = {"void copy() {", "  p[2 * i] = 1;", "}"};
    code_.Add(findings::kCubin, "_ZN3app4copyEv").accesses = {findings::MakeAccess(
        16, cubin::AccessKind::kStore, {{"_ZN3app4copyEv", findings::kSource, 2}})};
    run_.windows = {findings::MakeWindow(1, "_ZN3app4copyEv", {findings::MakeRow(16, 10, 8, 4)})};
    run_.range_sets = {{RangeSetId(1), {{"", "step", RangeKind::kPushPop}}}};
  }

  Report Judged(const std::string& toml) {
    Result<ProjectFile> file = ReadProjectFile(toml, "c.toml");
    EXPECT_TRUE(file.ok()) << file.error();
    Rules rules = std::move(file).value().rules;
    rules.today = *DateFromText("2026-11-22");
    rules.command_line = command_line_;
    findings::Aggregate aggregate;
    findings::AddRun("a.rec", run_, aggregate);
    for (const recording::RecordedRun& other : others_) {
      findings::AddRun("b.rec", other, aggregate);
    }
    const findings::PathMap no_map;
    return findings::MakeReport(
        std::move(aggregate), code_, {{"/src/app"}, no_map, *read_},
        {.min_wasted_share = findings::kDefaultMinWastedShare, .rules = &rules});
  }
  bool IsFinding(const std::string& toml) { return Judged(toml).accesses[0].is_finding; }

  findings::FakeCode code_;
  findings::FakeSources sources_;
  cubin::SourceText* read_ = &sources_;
  recording::RecordedRun run_ = findings::MakeRun();
  std::vector<recording::RecordedRun> others_;
  Thresholds command_line_;
};

TEST_F(JudgeTest, WithoutRulesTheBuiltInShareDecides) {
  const Report report = Judged("");
  EXPECT_TRUE(report.accesses[0].is_finding);
  EXPECT_EQ(report.accesses[0].decision, "50 % is not below min-wasted-share 10 % (default)");
}

TEST_F(JudgeTest, EveryMinimumMustBeReached) {
  EXPECT_TRUE(IsFinding("[thresholds]\nmin-wasted-share = 50"));
  EXPECT_FALSE(IsFinding("[thresholds]\nmin-wasted-share = 50.1"));
  EXPECT_TRUE(IsFinding("[thresholds]\nmin-requests = 10"));
  EXPECT_FALSE(IsFinding("[thresholds]\nmin-requests = 11"));
  EXPECT_TRUE(IsFinding("[thresholds]\nmin-wasted-bytes = 1280"));
  EXPECT_FALSE(IsFinding("[thresholds]\nmin-wasted-bytes = 1281"));
}

// out[i] = a[i] + b[i] + c[i + 1]
TEST_F(JudgeTest, ALineIsAFindingForItsWorstLoad) {
  std::vector<cubin::GlobalAccess> loads;
  for (const std::uint32_t pc : {16, 32, 48}) {
    loads.push_back(findings::MakeAccess(pc, cubin::AccessKind::kLoad,
                                         {{"_ZN3app4copyEv", findings::kSource, 2}}));
  }
  code_.Add(findings::kCubin, "_ZN3app4copyEv").accesses = loads;
  const auto row = findings::MakeRow;
  run_.windows = {findings::MakeWindow(1, "_ZN3app4copyEv",
                                       {row(16, 10, 4, 4), row(32, 10, 4, 4), row(48, 10, 5, 4)})};
  const Report report = Judged("");
  ASSERT_EQ(report.accesses.size(), 1U);
  EXPECT_TRUE(report.accesses[0].is_finding);
  EXPECT_EQ(report.accesses[0].decision,
            "20 % in the worst of 3 loads is not below min-wasted-share 10 % (default)");
  EXPECT_FALSE(IsFinding("[thresholds]\nmin-wasted-share = 20.1"));
}

// Of no pattern it is known then whether it would have matched.
TEST_F(JudgeTest, RulesThatTakeTooMuchWorkAreSaidToBeSo) {
  std::string name = "_Z4000";
  name += std::string(4000, 'k') + "v";
  code_.Add(findings::kCubin, name).accesses = {
      findings::MakeAccess(16, cubin::AccessKind::kStore, {{name, findings::kSource, 2}})};
  run_.windows = {findings::MakeWindow(1, name, {findings::MakeRow(16, 10, 8, 4)})};
  const std::string toml = "[[suppress]]\nkernel = 'regex:^none(a|b){2000}'\nreason = 'x'\n";
  EXPECT_EQ(Judged(toml).policy_problem, "");
  std::deque<std::string> names;  // the code refers to them
  for (std::uint64_t window = 2; window < 40; ++window) {
    const std::string& other =
        names.emplace_back(name.substr(0, name.size() - 2) + std::to_string(window % 10) + "v");
    code_.Add(CubinId(window), other).accesses = {
        findings::MakeAccess(16, cubin::AccessKind::kStore, {{other, findings::kSource, 2}})};
    run_.windows.push_back(
        findings::MakeWindow(window, other, {findings::MakeRow(16, 10, 8, 4)}, CubinId(window)));
  }
  EXPECT_THAT(Judged(toml).policy_problem, HasSubstr("its patterns are too many"));
}

// Rules that hold no name to compare cost their visit all the same.
TEST_F(JudgeTest, RulesThatOnlyNameAPatternTakeWorkToo) {
  std::string rules;
  for (int i = 0; i < 6000; ++i) rules += "[[rule]]\npattern = 'scattered'\nmin-cost = 0\n";
  EXPECT_EQ(Judged(rules).policy_problem, "");
  std::vector<cubin::GlobalAccess> accesses;
  recording::FunctionCounts counted = run_.windows[0].functions[0];
  counted.rows.clear();
  for (std::uint32_t i = 0; i < 8000; ++i) {
    accesses.push_back(findings::MakeAccess(16 * i, cubin::AccessKind::kStore,
                                            {{"_ZN3app4copyEv", findings::kSource, 4 + i}}));
    counted.rows.push_back(findings::MakeRow(16 * i, 10, 8, 4));
  }
  code_.Add(findings::kCubin, "_ZN3app4copyEv").accesses = accesses;
  run_.windows[0].functions = {counted};
  EXPECT_EQ(Judged("").policy_problem, "");
  EXPECT_THAT(Judged(rules).policy_problem, HasSubstr("its patterns are too many"));
}

TEST_F(JudgeTest, OneMaximumMustBeExceeded) {
  EXPECT_TRUE(IsFinding("[thresholds]\nmax-sectors-per-request = 7.9"));
  EXPECT_FALSE(IsFinding("[thresholds]\nmax-sectors-per-request = 8"));
  EXPECT_FALSE(IsFinding("[thresholds]\nmax-wasted-share = 50"));
  EXPECT_TRUE(IsFinding("[thresholds]\nmax-sectors-per-request = 8\nmax-wasted-share = 49"));
}

TEST_F(JudgeTest, WhatWasNotSampledIsNotExcusedByItsCost) {
  const Report report = Judged("[thresholds]\nmin-cost = 50");
  EXPECT_TRUE(report.accesses[0].is_finding);
  EXPECT_THAT(report.accesses[0].decision,
              HasSubstr("what is not known is not below min-cost 50 % (c.toml:2)"));
}

TEST_F(JudgeTest, PerLaunchCountsDoNotGrowWithTheLaunchesChecked) {
  run_.windows.push_back(
      findings::MakeWindow(2, "_ZN3app4copyEv", {findings::MakeRow(16, 10, 8, 4)}));
  EXPECT_FALSE(IsFinding("[thresholds]\nmin-requests = 11"));
}

TEST_F(JudgeTest, TheLastRuleThatMatchesWinsKeyByKey) {
  const std::string strict = "[[rule]]\nfile = 'a.cu'\nmin-wasted-share = 90\n";
  EXPECT_FALSE(IsFinding(strict));
  EXPECT_TRUE(IsFinding(strict + "[[rule]]\nkernel = 'app::'\nmin-wasted-share = 5\n"));
  EXPECT_FALSE(IsFinding(strict + "[[rule]]\nkernel = 'app::'\nmin-requests = 5\n"));
  EXPECT_TRUE(IsFinding("[[rule]]\nfile = 'b.cu'\nmin-wasted-share = 90\n"));
}

TEST_F(JudgeTest, TheCommandLineWinsOverRules) {
  command_line_ = BuiltIn(0.2, "command line");
  const Report report = Judged("[[rule]]\nfile = 'a.cu'\nmin-wasted-share = 90\n");
  EXPECT_TRUE(report.accesses[0].is_finding);
  EXPECT_THAT(report.accesses[0].decision, HasSubstr("(command line)"));
}

TEST_F(JudgeTest, ARuleOfARangeNeedsEveryLaunchInIt) {
  const std::string rule = "[[rule]]\nrange = 'step'\nmin-wasted-share = 90\n";
  EXPECT_TRUE(IsFinding(rule)) << "no range was open";
  run_.windows[0].inside[0].shape.ranges = RangeSetId(1);
  EXPECT_FALSE(IsFinding(rule));
  run_.windows.push_back(
      findings::MakeWindow(2, "_ZN3app4copyEv", {findings::MakeRow(16, 10, 8, 4)}));
  EXPECT_TRUE(IsFinding(rule)) << "one launch was outside";
}

TEST_F(JudgeTest, ASuppressionExcusesAndKeepsItsReason) {
  const Report report =
      Judged("[[suppress]]\nfunction = 'app::copy'\nreason = 'small'\nuntil = 2026-11-22");
  EXPECT_FALSE(report.accesses[0].is_finding);
  ASSERT_TRUE(report.places[0].excuse);
  EXPECT_EQ(report.places[0].excuse->reason, "c.toml:1: small (until 2026-11-22)");
  EXPECT_FALSE(report.places[0].excuse->in_source);
  EXPECT_THAT(report.policy_notes, IsEmpty());
}

TEST_F(JudgeTest, AnExpiredOrUnusedSuppressionIsNamed) {
  const Report report = Judged(
      "[[suppress]]\nkernel = 'app::'\nreason = 'a'\nuntil = 2026-11-21\n"
      "[[suppress]]\nkernel = 'gone'\nreason = 'b'\n");
  EXPECT_TRUE(report.accesses[0].is_finding);
  EXPECT_THAT(report.policy_notes,
              ElementsAre("c.toml:1: the suppression expired on 2026-11-21: a",
                          "c.toml:5: the suppression matches no finding of this run: b; no kernel "
                          "is 'gone', seen were app::copy"));
}

TEST_F(JudgeTest, ARuleThatMatchesNothingIsNamedWithWhatWasSeen) {
  run_.windows[0].inside[0].shape.ranges = RangeSetId(1);
  const Report report = Judged(
      "[[rule]]\nfile = 'src/*'\nmin-cost = 1\n[[rule]]\nkernel = 'app::cpy'\nmin-cost = 1\n"
      "[[rule]]\nfunction = 'main'\nmin-cost = 1\n[[rule]]\nrange = 'stop'\nmin-cost = 1\n"
      "[[rule]]\nkernel = 'copy'\npattern = 'broadcast'\nmin-cost = 1\n"
      "[[rule]]\nkernel = 'copy'\nrange = 'step'\nmin-cost = 1\n");
  const std::string nothing = ": the rule matches no access of this run";
  EXPECT_THAT(report.policy_notes,
              ElementsAre("c.toml:1" + nothing + "; no file is 'src/*', seen were a.cu",
                          "c.toml:4" + nothing + "; no kernel is 'app::cpy', seen were app::copy",
                          "c.toml:7" + nothing + "; no function is 'main', seen were app::copy",
                          "c.toml:10" + nothing + "; no range is 'stop', seen were step",
                          "c.toml:13" + nothing));
}

TEST_F(JudgeTest, WhatFitsOnlyAccessesOutOfScopeSaysSo) {
  code_.Add(findings::kCubin, "sort").accesses = {
      findings::MakeAccess(16, cubin::AccessKind::kLoad, {{"sort", "/opt/lib/sort.cuh", 2}})};
  run_.windows.push_back(findings::MakeWindow(2, "sort", {findings::MakeRow(16, 10, 8, 4)}));
  const Report report = Judged(
      "[[rule]]\nkernel = 'sort'\nmin-cost = 1\n"
      "[[suppress]]\nfile = '**/sort.cuh'\nreason = 'theirs'\n");
  EXPECT_THAT(report.policy_notes,
              ElementsAre("c.toml:4: the suppression matches no finding of this run: theirs; what "
                          "it fits is not judged (out of scope)",
                          "c.toml:1: the rule matches no access that is judged (out of scope)"));
}

TEST_F(JudgeTest, AModuleIsACubinOrEveryProgramThatLoadedIt) {
  const std::string by_name = "[[suppress]]\nmodule = 'legacy_*'\nreason = 'r'";
  run_.header.program = "/opt/bin/legacy_test";
  EXPECT_TRUE(IsFinding(by_name)) << "the program is not known to have loaded the cubin";
  run_.modules = {{ContextId(1), findings::kCubin, Bytes(9)}};
  EXPECT_FALSE(IsFinding(by_name));
  EXPECT_FALSE(IsFinding("[[suppress]]\nmodule = '/opt/*'\nreason = 'r'"));
  EXPECT_FALSE(IsFinding("[[suppress]]\nmodule = '00000000000000c0'\nreason = 'r'"));
  EXPECT_TRUE(IsFinding("[[suppress]]\nmodule = '00000000000000c1'\nreason = 'r'"));
  others_ = {findings::MakeRun()};
  others_[0].header.program = "/opt/bin/other_test";
  others_[0].modules = run_.modules;
  EXPECT_TRUE(IsFinding(by_name)) << "another program loaded it, too";
  EXPECT_FALSE(IsFinding("[[suppress]]\nmodule = ['legacy_*', 'other_*']\nreason = 'r'"));
}

TEST_F(JudgeTest, CountsAreWrittenInFull) {
  const Report report = Judged("[thresholds]\nmin-wasted-bytes = 1000000000");
  EXPECT_EQ(report.accesses[0].decision,
            "1\u202F280 bytes per launch is below min-wasted-bytes "
            "1\u202F000\u202F000\u202F000 bytes per launch (c.toml:2)");
}

TEST_F(JudgeTest, OfVeryManyCommentsTheFirstAreRead) {
  for (const char* comment : {"//coalcheck:", "//coalcheck: ignore[why]"}) {
    std::vector<std::string>& lines = sources_.files[findings::kSource];
    lines.assign(30'000, comment);
    lines[1] = "p[2 * i] = 1;";
    const std::vector<std::string> notes = Judged("").policy_notes;
    EXPECT_GT(notes.size(), 9'990U);
    EXPECT_LT(notes.size(), 10'010U);
    EXPECT_THAT(notes, Contains(HasSubstr("a.cu:10002: comments for coalcheck are not read")));
  }
}

// As it is when a file has many names.
TEST_F(JudgeTest, OfVeryMuchTextTheStartIsLookedThroughForComments) {
  BlankFile blank;
  read_ = &blank;
  EXPECT_THAT(Judged("").policy_notes, Contains(HasSubstr("comments for coalcheck are not read")));
  blank.lines = 200'000;
  EXPECT_THAT(Judged("").policy_notes, IsEmpty());
}

TEST_F(JudgeTest, ACommentSuppressesItsLineOrTheNext) {
  sources_.files[findings::kSource][1] += " // coalcheck: ignore[here]";
  EXPECT_EQ(Judged("").places[0].excuse->reason, "a.cu:2: here");
  EXPECT_TRUE(Judged("").places[0].excuse->in_source);
  sources_.files[findings::kSource] = {"// coalcheck: ignore[above]", "  p[2 * i] = 1;"};
  EXPECT_EQ(Judged("").places[0].excuse->reason, "a.cu:1: above");
  sources_.files[findings::kSource] = {"x; // coalcheck: ignore[another]", "  p[2 * i] = 1;"};
  const Report report = Judged("");
  EXPECT_TRUE(report.accesses[0].is_finding);
  EXPECT_THAT(report.policy_notes,
              ElementsAre("a.cu:1: the suppression matches no finding of this run: another"));
}

}  // namespace
}  // namespace coalcheck::policy

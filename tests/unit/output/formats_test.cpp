// SPDX-License-Identifier: Apache-2.0
//
// What all forms have in common, and what of each is quickest seen from here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "tests/unit/output/extreme_reports.h"
#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {
namespace {

using ::testing::HasSubstr;

std::string Written(Format format, const findings::Report& report, cubin::SourceText& sources) {
  return Written(format, {report, verdict::Judge(report), sources});
}

TEST(Formats, EveryOneIsPrintableUtf8AndEndsInANewline) {
  findings::FakeSources sources;
  const findings::Report report = MakeHostileReport(sources);
  for (const Format format : AllFormats()) {
    if (format == Format::kJson || format == Format::kSarif) continue;  // quote, as JSON does
    const std::string text = Written(format, report, sources);
    ASSERT_TRUE(text.ends_with('\n')) << ToString(format);
    std::string lines = "-" + text;  // GitHub's own commands begin the text with "::"
    std::erase(lines, '\n');
    EXPECT_TRUE(words::Printable(lines) == lines) << ToString(format);
  }
}

TEST(Formats, TheSameReportIsTheSameText) {
  findings::FakeSources sources;
  const findings::Report report = MakeManyFindings(300, sources);
  for (const Format format : AllFormats()) {
    EXPECT_EQ(Written(format, report, sources), Written(format, report, sources));
  }
}

TEST(Formats, OnlyTheFoldedStacksOfNothingAreEmpty) {
  findings::FakeSources sources;
  const findings::Report report = MakeEmptyReport(sources);
  for (const Format format : AllFormats()) {
    const std::string text = Written(format, report, sources);
    if (format == Format::kFolded) {
      EXPECT_EQ(text, "");
      continue;
    }
    EXPECT_THAT(text, HasSubstr("nothing")) << ToString(format);
  }
}

TEST(Folded, SemicolonsOfANameBeginNoCommandToTheRunnerOfABuild) {
  findings::FakeSources sources;
  findings::Report report = MakeManyFindings(1, sources);
  for (findings::Access& access : report.accesses) access.kernel = ";;error title=x;;y";
  const std::string text = Written(Format::kFolded, report, sources);
  EXPECT_THAT(text, HasSubstr(",,error title=x,,y"));
  EXPECT_THAT(text, Not(HasSubstr("::error")));
}

TEST(Markdown, RowsThatAreLeftOutAreCounted) {
  findings::FakeSources sources;
  const findings::Report report = MakeManyFindings(300, sources);
  const std::string text = MarkdownTable({report, verdict::Judge(report), sources}, 100);
  EXPECT_THAT(text, HasSubstr("200 more findings are not listed here."));
}

TEST(Formats, OfManyAccessesThatOneRecordingShowsAFewAreNamedAndTheOthersCounted) {
  findings::FakeSources sources;
  findings::Report report = MakeManyFindings(300, sources);
  for (const findings::Access& access : report.accesses) {
    report.alone.push_back({"one", access.kernel, access.kind, access.counts, "why", "why not"});
  }
  for (const Format format : {Format::kText, Format::kGithub, Format::kGitlab, Format::kJunit}) {
    const std::string text = Written(format, report, sources);
    EXPECT_THAT(text, HasSubstr("290 more accesses that would be findings"));
  }
}

TEST(Markdown, NotesThatAreLeftOutAreCounted) {
  findings::FakeSources sources;
  findings::Report report = MakeManyFindings(1, sources);
  for (int i = 0; i < 120; ++i) {
    findings::RecordingInfo& recording = report.recordings.emplace_back();
    recording.name = "run " + std::to_string(i);
    recording.dropped_records = 1;
  }
  const verdict::Verdict verdict = verdict::Judge(report);
  const std::string whole = MarkdownTable({report, verdict, sources}, std::nullopt);
  EXPECT_THAT(whole, HasSubstr("run 119"));
  const std::string text = MarkdownTable({report, verdict, sources}, 100);
  EXPECT_THAT(text, AllOf(HasSubstr("run 80"), Not(HasSubstr("run 119")), HasSubstr("more notes")));
}

TEST(Fingerprints, SurviveMovedLinesAndOtherPcs) {
  TransposeReport before;
  TransposeReport after;
  after.sources.files[findings::kSource].insert(after.sources.files[findings::kSource].begin(), "");
  auto& accesses = after.code.Add(findings::kCubin, kTranspose).accesses;
  accesses.clear();
  accesses = {
      findings::MakeAccess(160, cubin::AccessKind::kStore, {{kTranspose, findings::kSource, 3}})};
  after.run.windows[0].functions[0].rows = {findings::MakeRow(160, 99, 32, 4)};
  const auto old_prints = FingerprintsOf(before.Make());
  ASSERT_EQ(old_prints.size(), 1U);
  EXPECT_EQ(FingerprintsOf(after.Make()), old_prints);
}

}  // namespace
}  // namespace coalcheck::output

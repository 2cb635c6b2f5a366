// SPDX-License-Identifier: Apache-2.0
//
// The verdict, a row for each finding, the notes.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/view/details.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {
namespace {

using findings::Report;

std::string PerRequest(const Report& report, const findings::Counts& counts) {
  if (!report.present.requests || counts.requests == Requests(0)) return "–";
  return fmt::format("{} of {}", words::Average(Per(counts.ideal, counts.requests)),
                     words::Average(Per(counts.sectors, counts.requests)));
}

// The pattern, the waits and the advice.
std::string Why(const FindingView& view) {
  std::string why;
  Details details = view.details;
  std::ranges::move(AssumedDetails(*view.worst), std::back_inserter(details));
  for (const Detail& detail : details) {
    const bool is_told = detail.about == About::kPattern || detail.about == About::kCost ||
                         detail.about == About::kMadeFrom || detail.about == About::kChange ||
                         detail.about == About::kAssumed;
    if (!is_told) continue;
    if (!why.empty()) why += "<br>";
    why += EscapeMarkdown(Cut(detail.text));
  }
  return why;
}

std::string Row(const Report& report, const findings::Cause& cause) {
  const FindingView view = ViewOf(report, cause);
  const findings::Counts& counts = cause.whole.counts;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", EscapeMarkdown(Cut(view.where)),
                     view.what, EscapeMarkdown(Cut(words::PrintableName(view.worst->kernel), 200)),
                     words::Percent(counts.WastedShare()), words::Short(counts.Wasted().count()),
                     PerRequest(report, counts), Why(view));
}

std::string Table(const Report& report, std::optional<std::size_t> most_rows) {
  const std::vector<findings::Cause> causes = findings::CausesOf(report);
  if (causes.empty()) return {};
  std::string table = fmt::format(
      "| where | access | kernel | wasted | wasted sectors{} | sectors needed a request | why |\n"
      "|---|---|---|---:|---:|---:|---|\n",
      report.prediction ? ", predicted" : "");
  const std::size_t rows = std::min(causes.size(), most_rows.value_or(causes.size()));
  for (std::size_t i = 0; i < rows; ++i) table += Row(report, causes[i]);
  if (rows < causes.size()) {
    table +=
        fmt::format("\n{} not listed here.\n",
                    words::Count(causes.size() - rows, "more finding is", "more findings are"));
  }
  return table + '\n';
}

}  // namespace

std::string MarkdownTable(const FormInput& input, std::optional<std::size_t> most) {
  const Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  const std::string summary = SummaryLine(report, verdict);
  std::string text = fmt::format("### {}\n\n{}", EscapeMarkdown(summary), Table(report, most));
  const std::vector<std::string> notes = NotesOf(report);
  const std::size_t shown = std::min(notes.size(), most.value_or(notes.size()));
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("* {}\n", EscapeMarkdown(Cut(notes[i])));
  }
  if (shown < notes.size()) {
    text += fmt::format("* {}\n", words::Count(notes.size() - shown, "more note", "more notes"));
  }
  return text;
}

void WriteMarkdown(const FormInput& input, std::ostream& out) {
  out << MarkdownTable(input, std::nullopt);
}

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// The findings and the ranges, or the findings of each range, then the notes, then the summary.
#include "libcoalcheck/output/text_writer.h"

#include "libcoalcheck/output/text_by_range.h"
#include "libcoalcheck/output/text_finding.h"
#include "libcoalcheck/output/text_notes.h"
#include "libcoalcheck/output/text_ranges.h"
#include "libcoalcheck/output/text_summary.h"

namespace coalcheck::output {

namespace {

// Prints findings up to a limit, and counts the others.
class FindingsPrinter {
 public:
  FindingsPrinter(cubin::SourceText& sources, const TextOptions& options, const Style& style)
      : sources_(sources), limit_(options.print_limit), style_(style) {}

  std::string Of(const findings::Report& report) {
    std::string text;
    for (const findings::Place& place : report.places) {
      if (!place.is_finding) break;  // findings come first
      if (limit_ && printed_ == *limit_) {
        ++hidden_;
        continue;
      }
      text += FindingText(report, place, sources_, style_);
      ++printed_;
    }
    return text;
  }
  std::size_t hidden() const { return hidden_; }

 private:
  cubin::SourceText& sources_;
  std::optional<std::size_t> limit_;
  const Style& style_;
  std::size_t printed_ = 0;
  std::size_t hidden_ = 0;
};

}  // namespace

std::string TextWriter::Write(const findings::Report& report, const verdict::Verdict& verdict) {
  const Style style(options_.color);
  FindingsPrinter printer(sources_, options_, style);
  std::string text =
      report.by_range.empty()
          ? printer.Of(report) + RangesText(report)
          : ByRangeText(report, [&](const findings::Report& part) { return printer.Of(part); });
  text += NotesText(report, printer.hidden());
  text += SummaryText(report, verdict, style);
  return text;
}

}  // namespace coalcheck::output

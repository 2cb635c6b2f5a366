// SPDX-License-Identifier: Apache-2.0
//
// The findings, then the ranges, then the notes, then the summary.
#include "libcoalcheck/output/text_writer.h"

#include "libcoalcheck/output/text_finding.h"
#include "libcoalcheck/output/text_notes.h"
#include "libcoalcheck/output/text_ranges.h"
#include "libcoalcheck/output/text_summary.h"

namespace coalcheck::output {

std::string TextWriter::Write(const findings::Report& report, const verdict::Verdict& verdict) {
  const Style style(options_.color);
  std::string text;
  std::size_t printed = 0;
  std::size_t hidden = 0;
  for (const findings::Place& place : report.places) {
    if (!place.is_finding) break;  // findings come first
    if (options_.print_limit && printed == *options_.print_limit) {
      ++hidden;
      continue;
    }
    text += FindingText(report, place, sources_, style);
    ++printed;
  }
  text += RangesText(report);
  text += NotesText(report, hidden);
  text += SummaryText(report, verdict, style);
  return text;
}

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// The findings and the ranges, or the findings of each range, then the notes, then the summary.
#include "libcoalcheck/output/text/text_writer.h"

#include <fmt/format.h>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/output/text/text_by_range.h"
#include "libcoalcheck/output/text/text_finding.h"
#include "libcoalcheck/output/text/text_verbose.h"
#include "libcoalcheck/output/text/wrap.h"
#include "libcoalcheck/output/view/details.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/ranges.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {

namespace {

// Prints findings up to a limit, and counts the others.
class FindingsPrinter {
 public:
  FindingsPrinter(cubin::SourceText& sources, const TextOptions& options, const Style& style)
      : sources_(sources),
        limit_(options.print_limit),
        verbosity_(options.verbosity),
        style_(style) {}

  std::string Of(const findings::Report& report) {
    std::string text;
    for (const findings::Cause& cause : findings::CausesOf(report)) {
      if (limit_ && printed_ == *limit_) {
        ++hidden_;
        continue;
      }
      text += TextOf(report, cause);
      ++printed_;
    }
    return text;
  }
  std::size_t hidden() const { return hidden_; }

 private:
  std::string TextOf(const findings::Report& report, const findings::Cause& cause) {
    const bool is_verbose = verbosity_ == Verbosity::kVerbose;
    const FindingView whole = ViewOf(report, cause);
    std::string text = FindingText(report, *cause.members.front(), whole, sources_, style_,
                                   is_verbose ? std::string::npos : kFindingLines);
    if (verbosity_ == Verbosity::kQuiet) return text.substr(0, text.find('\n') + 1);
    if (!is_verbose) return text;
    text += LinesAbout(About::kNeeds, whole.details);
    for (const findings::Place* place : cause.members) {
      const FindingView view = ViewOf(report, *place);
      if (cause.members.size() > 1) {
        text += fmt::format("   of these: {}: {}\n", view.where, view.claim);
      }
      text += Lines(DetailsOf(report, *place, *view.worst)) + InstructionLines(report, *place);
    }
    return text;
  }

  cubin::SourceText& sources_;
  std::optional<std::size_t> limit_;
  Verbosity verbosity_;
  const Style& style_;
  std::size_t printed_ = 0;
  std::size_t hidden_ = 0;
};

}  // namespace

void WriteText(const FormInput& input, std::ostream& out) {
  const findings::Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  const TextOptions& options = input.text;
  const Style style(options.color);
  FindingsPrinter printer(input.sources, options, style);
  const bool quiet = options.verbosity == Verbosity::kQuiet;
  std::string text =
      report.by_range.empty()
          ? printer.Of(report) + (quiet ? "" : RangesText(report))
          : ByRangeText(report, [&](const findings::Report& part) { return printer.Of(part); });
  if (options.verbosity == Verbosity::kVerbose) text += CleanLines(report);
  for (const std::string& note : quiet ? QuietNotes(report) : NotesOf(report, printer.hidden())) {
    text += fmt::format("coalcheck: {}\n", note);
  }
  text += SummaryLine(report, verdict, style) + "\n";
  out << (options.width ? Wrapped(text, *options.width) : text);
}

}  // namespace coalcheck::output

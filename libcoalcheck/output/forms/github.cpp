// SPDX-License-Identifier: Apache-2.0
//
// The costliest findings as warnings, then one line for the rest: GitHub shows ten warnings a step
// and silently drops the others.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {
namespace {

using findings::Report;

constexpr std::size_t kMostWarnings = 10;

// With its lines kept: Printable would make them one.
std::string Message(const FindingView& view) {
  std::string message = EscapeGithubMessage(Cut(view.claim));
  for (const Detail& detail : view.details) {
    message += "%0A" + EscapeGithubMessage(Cut(detail.text));
  }
  return message;
}

// Findings of one cause are one annotation, at the line that wastes most.
std::string Warning(const Report& report, const findings::Cause& cause) {
  const FindingView view = ViewOf(report, cause);
  const bool is_alone = cause.members.size() == 1;
  std::string where;
  if (view.worst->shown) {
    const findings::Frame& frame = *view.worst->shown;
    where = fmt::format("file={},line={},",
                        EscapeGithubProperty(words::PathShown(report, frame.file)), frame.line);
  }
  return fmt::format("::warning {}title={}::{}\n", where,
                     EscapeGithubProperty(fmt::format("coalcheck: uncoalesced {}",
                                                      is_alone ? view.what : "accesses")),
                     is_alone && view.worst->shown
                         ? Message(view)
                         : EscapeGithubMessage(Cut(view.where)) + ": " + Message(view));
}

}  // namespace

void WriteGithub(const FormInput& input, std::ostream& out) {
  const Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  const std::vector<findings::Cause> causes = findings::CausesOf(report);
  const std::size_t shown = std::min(causes.size(), kMostWarnings);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += Warning(report, causes[i]);
  std::string summary = SummaryLine(report, verdict);
  if (shown < causes.size()) {
    summary +=
        fmt::format("; {} not annotated: the step summary and the text report have them",
                    words::Count(causes.size() - shown, "more finding is", "more findings are"));
  }
  std::string message = EscapeGithubMessage(Cut(summary));
  for (const auto& notes :
       {AloneNotes(report), GapNotes(report), UnknownNotes(report), PolicyNotes(report)}) {
    for (const std::string& note : notes) message += "%0A" + EscapeGithubMessage(Cut(note));
  }
  out << (text + fmt::format("::{} title=coalcheck::{}\n", WasJudged(verdict) ? "notice" : "error",
                             message));
}

}  // namespace coalcheck::output

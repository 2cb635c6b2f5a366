// SPDX-License-Identifier: Apache-2.0
//
// The costliest findings as warnings, then one line for all else: GitHub shows ten warnings a step
// and drops the others without a word.
#include "libcoalcheck/output/github_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "libcoalcheck/findings/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/finding_list.h"
#include "libcoalcheck/output/text_policy.h"

namespace coalcheck::output {
namespace {

using findings::Place;
using findings::Report;

constexpr std::size_t kMostWarnings = 10;

// With its lines kept: Printable would make them one.
std::string Message(const FindingWords& words) {
  std::string message = EscapeGithubMessage(Cut(words.claim));
  for (const std::string& detail : words.details) {
    message += "%0A" + EscapeGithubMessage(Cut(detail));
  }
  return message;
}

std::string Warning(const Report& report, const Place& place) {
  const FindingWords words = WordsOf(report, place);
  std::string where;
  if (words.worst->shown) {
    const findings::Frame& frame = *words.worst->shown;
    where = fmt::format("file={},line={},",
                        EscapeGithubProperty(words::PathShown(report, frame.file)), frame.line);
  }
  return fmt::format("::warning {}title={}::{}\n", where,
                     EscapeGithubProperty("coalcheck: uncoalesced " +
                                          std::string(cubin::ToString(words.worst->kind))),
                     words.worst->shown
                         ? Message(words)
                         : EscapeGithubMessage(Cut(words.where)) + ": " + Message(words));
}

}  // namespace

std::string GithubWriter::Write(const Report& report, const verdict::Verdict& verdict) {
  const std::span<const Place> places = FindingPlaces(report);
  const std::size_t shown = std::min(places.size(), kMostWarnings);
  std::string text;
  for (const Place& place : places.first(shown)) text += Warning(report, place);
  std::string summary = SummaryLine(report, verdict);
  if (shown < places.size()) {
    summary +=
        fmt::format("; {} not annotated: the step summary and the text report have them",
                    words::Count(places.size() - shown, "more finding is", "more findings are"));
  }
  std::string message = EscapeGithubMessage(Cut(summary));
  for (const std::string& note : PolicyNotes(report)) {
    message += "%0A" + EscapeGithubMessage(Cut(note));
  }
  return text + fmt::format("::{} title=coalcheck::{}\n", WasJudged(verdict) ? "notice" : "error",
                            message);
}

}  // namespace coalcheck::output

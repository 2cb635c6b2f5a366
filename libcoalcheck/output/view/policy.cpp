// SPDX-License-Identifier: Apache-2.0
//
// Few lines, so that a report with a hundred known findings is short.
#include "libcoalcheck/output/view/policy.h"

#include <fmt/format.h>

#include "libcoalcheck/findings/places/excuses.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/notes.h"

namespace coalcheck::output {
namespace {

using findings::BaselineCheck;
using findings::Excuse;
using findings::KnownFinding;
using findings::WasteRate;

std::string Name(const KnownFinding& known) {
  const std::string& where = known.path.empty() ? known.kernel : known.path;
  return fmt::format("{}: {} in {}{}{}", words::Printable(where), words::Printable(known.kind),
                     words::Printable(known.kernel), known.text.empty() ? "" : ": ",
                     words::Printable(known.text));
}

std::string Change(const WasteRate& before, const WasteRate& now) {
  if (before.sectors_per_request && now.sectors_per_request) {
    return fmt::format("{} -> {} wasted sectors per request",
                       words::Average(*before.sectors_per_request),
                       words::Average(*now.sectors_per_request));
  }
  return fmt::format("{} -> {} wasted", words::Percent(before.share), words::Percent(now.share));
}

void AddRows(const std::vector<std::string>& rows, std::string_view what,
             std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < rows.size() && i < kMostRows; ++i) notes.push_back(rows[i]);
  if (rows.size() > kMostRows) {
    notes.push_back(
        fmt::format("… and {} more that are {}", words::Grouped(rows.size() - kMostRows), what));
  }
}

void AddBaseline(const BaselineCheck& check, std::vector<std::string>& notes) {
  std::vector<std::string> rows;
  for (const BaselineCheck::Improved& one : check.improved) {
    rows.push_back(fmt::format("better than the baseline: {}: {}{}", Name(one.known),
                               Change(one.known.waste, one.now),
                               one.is_finding ? "" : ", no finding any more"));
  }
  for (const KnownFinding& known : check.vanished) {
    rows.push_back("no longer there: " + Name(known));
  }
  AddRows(rows, "better than the baseline", notes);
  std::string note =
      fmt::format("baseline {}{}: {} new, {} worse, {} known", words::Printable(check.file),
                  check.is_predicted ? " (of a prediction)" : "", words::Grouped(check.fresh),
                  words::Grouped(check.worse), words::Grouped(check.known));
  if (!rows.empty()) {
    note += fmt::format(", {} better or gone, which {}", words::Grouped(rows.size()),
                        check.taken_over ? "the baseline now says"
                                         : "coalcheck baseline check --tighten takes over");
  }
  if (!check.not_seen.empty()) {
    note +=
        fmt::format(", {} not seen, as their kernels were not checked, or not by each recording{}",
                    words::Grouped(check.not_seen.size()),
                    check.lines_unknown > 0 ? " or their text could not be read" : "");
  }
  if (check.lines_unknown > 0) {
    note += fmt::format(
        "; the text of {} could not be read, by which findings are known "
        "(--source-root, --path-map)",
        words::Count(check.lines_unknown, "line", "lines"));
  }
  notes.push_back(std::move(note));
}

}  // namespace

std::string StandingSentence(const findings::Place& place) {
  if (place.standing.empty()) return {};
  return fmt::format("baseline: {}", place.standing);
}

std::vector<std::string> PolicyNotes(const findings::Report& report) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < report.policy_notes.size() && i < kMostRows; ++i) {
    notes.push_back(words::Printable(report.policy_notes[i]));
  }
  if (report.policy_notes.size() > kMostRows) {
    notes.push_back(
        fmt::format("… and {} more suppressions and rules that expired or match nothing",
                    words::Grouped(report.policy_notes.size() - kMostRows)));
  }
  if (report.baseline) AddBaseline(*report.baseline, notes);
  return notes;
}

std::string ExcusedText(const findings::Report& report) {
  std::string text;
  const auto add = [&](Excuse::By by, std::string_view word) {
    const std::uint64_t number = findings::Excused(report, by);
    if (number == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words::Grouped(number), word);
  };
  add(Excuse::By::kBaseline, "known");
  add(Excuse::By::kSuppression, "suppressed");
  return text;
}

}  // namespace coalcheck::output

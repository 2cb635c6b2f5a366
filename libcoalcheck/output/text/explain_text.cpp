// SPDX-License-Identifier: Apache-2.0
//
// In the order of the report: findings, then excused and clean accesses.
#include "libcoalcheck/output/text/explain_text.h"

#include <fmt/format.h>

#include <set>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Place;
using findings::Report;

std::string Word(const Place& place, const Style& style) {
  if (place.is_finding) return style.Bad("finding");
  if (!place.excuse) return style.Good("clean");
  return place.excuse->by == findings::Excuse::By::kBaseline ? "known" : "suppressed";
}

// Instantiations may be decided differently.
std::string Decisions(const Report& report, const Place& place) {
  std::set<std::string> seen;
  std::string text;
  for (std::size_t i = 0; i < place.counted; ++i) {
    const std::string& decision = report.accesses[place.accesses[i]].decision;
    if (!seen.insert(decision).second) continue;
    text += (text.empty() ? "" : " | ") + words::Printable(decision);
  }
  return text;
}

}  // namespace

std::string ExplainText(const Report& report, const Style& style) {
  std::string text;
  for (const Place& place : report.places) {
    if (!place.in_scope) continue;
    const Access& access = report.accesses[place.accesses.front()];
    const std::string where =
        access.shown
            ? fmt::format("{}:{}", words::Printable(words::PathShown(report, access.shown->file)),
                          access.shown->line)
            : words::PrintableName(access.kernel);
    text += fmt::format("{} {} in {}: {}: {}", style.Bold(where + ":"),
                        cubin::ToString(access.kind), words::Printable(place.identity.kernel),
                        Word(place, style), Decisions(report, place));
    if (!place.standing.empty()) text += "; baseline: " + place.standing;
    if (place.excuse && place.excuse->by == findings::Excuse::By::kBaseline) {
      text += "; in the baseline " + words::Printable(place.excuse->reason);
    }
    text += '\n';
  }
  return text;
}

}  // namespace coalcheck::output

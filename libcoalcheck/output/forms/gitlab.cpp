// SPDX-License-Identifier: Apache-2.0
//
// An array of issues. An empty array means a clean run, so a run that checked nothing has an issue
// too.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/findings/cost/place_cost.h"
#include "libcoalcheck/findings/places/scope.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/json_document.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/output/view/scope.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {
namespace {

using findings::Place;
using findings::Report;
using Json = nlohmann::ordered_json;

// From this share on most of the traffic is waste.
constexpr double kMajorShare = 0.5;

std::string_view SeverityOf(const Report& report, const Place& place) {
  const auto gain = findings::CostOf(report, place).gain;
  if (gain && gain->most < findings::kNoGainBelow) return "info";
  return place.counts.WastedShare() >= kMajorShare ? "major" : "minor";
}

Json IssueJson(std::string_view check, const std::string& description, std::string_view severity,
               const std::string& fingerprint, const findings::Frame& where) {
  return {{"description", description},
          {"check_name", check},
          {"fingerprint", fingerprint},
          {"severity", severity},
          {"location",
           {{"path", Cut(words::Printable(where.file))},
            {"lines", {{"begin", std::max(where.line, 1U)}}}}}};
}

// Of the report as a whole: it has no file, and the format wants one. Each note is cut, not all of
// them together: the last one says how many were left out.
Json WholeJson(std::string_view check, const std::vector<std::string>& notes,
               std::string_view severity = "major") {
  std::string description;
  for (const std::string& note : notes) {
    if (!description.empty()) description += "; ";
    description += Cut(note);
  }
  return IssueJson(check, description, severity, ToHex(HashCubin(check)), {"", ".", 1});
}

// Waste that is no finding, and that nobody decided to let pass.
std::vector<std::string> NotesOnNotJudged(const Report& report) {
  std::vector<std::string> notes = AloneNotes(report);
  const findings::LibraryCode library = findings::LibraryCodeOf(report);
  const bool may_waste = report.prediction && library.accesses > 0;  // what is unknown counts none
  if (library.Wasted() > Sectors(0) || may_waste) {
    for (std::string& note : ScopeNotes(report)) notes.push_back(std::move(note));
  }
  if (report.prediction && report.prediction->without_ptx > 0) {
    notes.push_back(words::Count(report.prediction->without_ptx, "access", "accesses") +
                    " in code without lines and PTX");
  }
  return notes;
}

std::vector<std::string> NotesOnRules(const Report& report) {
  const std::string excused = ExcusedText(report);
  const std::uint64_t by_comment = report.prediction ? report.prediction->by_comment : 0;
  if (report.policy_notes.empty() && excused.empty() && by_comment == 0) return {};
  std::vector<std::string> notes = PolicyNotes(report);
  if (by_comment > 0) {
    notes.push_back(words::Count(by_comment, "access", "accesses") +
                    " judged for launches that comments in the source name");
  }
  if (!excused.empty()) notes.insert(notes.begin(), "findings that fail nothing: " + excused);
  return notes;
}

// What is said of the whole run. An empty list would say that all was looked at, and is clean.
void AddWhole(const Report& report, const verdict::Verdict& verdict, Json& issues) {
  if (const std::vector<std::string> notes = GapNotes(report); !notes.empty()) {
    issues.push_back(
        WholeJson(report.prediction ? "code-passed-over" : "not-all-seen", notes, "info"));
  }
  if (const std::vector<std::string> notes = NotesOnNotJudged(report); !notes.empty()) {
    issues.push_back(WholeJson("not-judged", notes, "info"));
  }
  if (report.prediction && report.prediction->unknown > 0) {
    issues.push_back(WholeJson("unknown-accesses", UnknownNotes(report), "info"));
  }
  if (const std::vector<std::string> notes = NotesOnRules(report); !notes.empty()) {
    issues.push_back(WholeJson("suppressions-and-rules", notes, "info"));
  }
  // Also where that is allowed: an empty list would say that all is well.
  if (!WasJudged(verdict) || verdict.tolerated) {
    const std::string summary = SummaryLine(report, verdict);
    issues.push_back(WholeJson("not-checked", {summary}));
  }
}

}  // namespace

void WriteGitlab(const FormInput& input, std::ostream& out) {
  const Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  Json issues = Json::array();
  const std::vector<std::string> fingerprints = FingerprintsOf(report);
  const std::span<const Place> places = FindingPlaces(report);
  std::size_t without_line = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const FindingView view = ViewOf(report, places[i]);
    if (!view.worst->shown) {
      ++without_line;
      continue;
    }
    findings::Frame where = *view.worst->shown;
    where.file = words::PathShown(report, where.file);
    issues.push_back(IssueJson(RuleOf(view.worst->kind), Paragraph(view),
                               SeverityOf(report, places[i]), fingerprints[i], where));
  }
  if (const std::string text = WithoutLine(without_line); !text.empty()) {
    issues.push_back(WholeJson("without-line-information", {text}));
  }
  AddWhole(report, verdict, issues);
  out << JsonText(issues, 1) << "\n";
}

}  // namespace coalcheck::output

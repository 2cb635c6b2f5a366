// SPDX-License-Identifier: Apache-2.0
//
// One run, one result a cause, and notifications for all that is no result.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/forms/sarif_rules.h"
#include "libcoalcheck/output/json_document.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::Cause;
using findings::Place;
using findings::Report;
using Json = nlohmann::ordered_json;

// Code scanning keeps this many results of a run; the others are left out here, and that is said.
constexpr std::size_t kMostSarifResults = 5000;
// And shows this many of a result's locations.
constexpr std::size_t kMostSarifLocations = 1000;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

Json ArtifactJson(const Report& report, const findings::Frame& frame) {
  const std::string path = words::PathShown(report, frame.file);
  if (LiesUnderRoot(report, frame)) return {{"uri", UriPath(path)}, {"uriBaseId", "%SRCROOT%"}};
  return {{"uri", (path.starts_with('/') ? "file://" : "") + UriPath(path)}};
}

// In UTF-16 code units, which is what columns are counted in.
std::size_t Utf16Units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

// Cubins know no columns: from the first character that is no blank to the end of the line.
Json RegionJson(std::uint32_t line, const std::string& text) {
  const std::uint32_t shown_line = std::max(line, 1U);
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  Json region = {{"startLine", shown_line},
                 {"startColumn", Utf16Units(text.substr(0, first)) + 1},
                 {"endLine", shown_line},
                 {"endColumn", Utf16Units(text) + 1}};
  if (!text.empty()) region["snippet"] = {{"text", Cut(text)}};
  return region;
}

Json MessageJson(std::string_view text) { return {{"text", EscapeSarifMessage(text)}}; }

Json SuppressionJson(const findings::Excuse& excuse) {
  return {{"kind", excuse.in_source ? "inSource" : "external"},
          {"justification", Cut(excuse.reason)}};
}

class Results {
 public:
  Results(const Report& report, cubin::SourceText& sources) : report_(report), sources_(sources) {}

  // `fingerprint`: the first member's.
  void Add(const Cause& cause, const std::string& fingerprint) {
    const FindingView view = ViewOf(report_, cause);
    if (!view.worst->shown) {
      ++without_line_;
      return;
    }
    if (results_.size() == kMostSarifResults) {
      ++cut_;
      return;
    }
    results_.push_back(ResultJson(cause, view, fingerprint));
  }

  Json Take() && { return std::move(results_); }
  std::size_t cut() const { return cut_; }
  std::size_t without_line() const { return without_line_; }

 private:
  Json LocationJson(const findings::Frame& frame) {
    const std::string text = sources_.Line(frame.file, frame.line).value_or("");
    return {{"physicalLocation",
             {{"artifactLocation", ArtifactJson(report_, frame)},
              {"region", RegionJson(frame.line, text)}}}};
  }

  void AddRelated(const findings::Frame& frame, const std::string& text, Json& related) {
    if (related.size() + 1 == kMostSarifLocations) return;
    Json location = LocationJson(frame);
    location["id"] = related.size();
    location["message"] = MessageJson(text);
    related.push_back(std::move(location));
  }

  // The calls around the first member's line, innermost first; then the other members.
  Json RelatedJson(const Cause& cause, const Access& first) {
    Json related = Json::array();
    for (const findings::Frame& frame : first.chain) {
      if (first.chain.size() < 2) break;
      AddRelated(frame, related.empty() ? "the access" : "inlined into " + NameOf(frame), related);
    }
    for (std::size_t i = 1; i < cause.members.size(); ++i) {
      const FindingView view = ViewOf(report_, *cause.members[i]);
      if (view.worst->shown) AddRelated(*view.worst->shown, view.claim, related);
    }
    return related;
  }

  // Moves are no `fixes`, which replace text: each also changes a launch, a layout or other lines.
  Json PropertiesJson(const Cause& cause) const {
    const findings::Counts& counts = cause.whole.counts;
    Json properties = {{"sectors", counts.sectors.count()},
                       {"idealSectors", counts.ideal.count()},
                       {"wastedSectors", counts.Wasted().count()}};
    const words::MoveWords moves =
        words::MovesFor(report_, words::WorstOf(report_, *cause.members.front()));
    if (moves.helps) properties["change"] = Cut(moves.fix);
    if (!moves.needs.empty()) properties["changeNeeds"] = Cut(moves.needs);
    if (!moves.rejected.empty()) properties["changeRejected"] = Cut(moves.rejected);
    return properties;
  }

  static std::string NameOf(const findings::Frame& frame) {
    return Cut(words::PrintableName(frame.function));
  }

  Json ResultJson(const Cause& cause, const FindingView& view, const std::string& fingerprint) {
    const Access& access = *view.worst;
    const bool is_alone = cause.members.size() == 1;
    Json location = LocationJson(*access.shown);
    const Json kernel = {{"fullyQualifiedName", Cut(words::PrintableName(access.kernel))},
                         {"kind", "function"}};
    location["logicalLocations"] = Json::array({kernel});
    Json result = {
        {"ruleId", RuleOf(access.kind)},
        {"ruleIndex", SarifRuleIndex(access.kind)},
        {"level", "warning"},
        {"message", MessageJson(is_alone ? Paragraph(view) : view.where + ": " + Paragraph(view))},
        {"locations", Json::array({std::move(location)})}};
    Json related = RelatedJson(cause, access);
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    result["partialFingerprints"] = {{"coalcheckPlace/v1", fingerprint}};
    if (!cause.whole.is_finding) {
      result["suppressions"] = Json::array({SuppressionJson(*cause.whole.excuse)});
    }
    result["rank"] = cause.whole.counts.WastedShare() * 100;
    result["properties"] = PropertiesJson(cause);
    return result;
  }

  const Report& report_;
  cubin::SourceText& sources_;
  Json results_ = Json::array();
  std::size_t cut_ = 0;
  std::size_t without_line_ = 0;
};

Json NotificationJson(std::string_view level, const std::string& text) {
  return {{"level", level}, {"message", MessageJson(Cut(text))}};
}

Json NotificationsJson(const Report& report, const verdict::Verdict& verdict,
                       const Results& results) {
  Json all = Json::array();
  const std::string summary = SummaryLine(report, verdict);
  all.push_back(NotificationJson(WasJudged(verdict) ? "note" : "error", summary));
  if (results.cut() > 0) {
    all.push_back(NotificationJson(
        "warning", fmt::format("{} left out: code scanning keeps {} of a run",
                               words::Count(results.cut(), "more finding is", "more findings are"),
                               words::Grouped(kMostSarifResults))));
  }
  if (const std::string text = WithoutLine(results.without_line()); !text.empty()) {
    all.push_back(NotificationJson("warning", text));
  }
  for (const std::string& note : NotesOf(report)) all.push_back(NotificationJson("note", note));
  return all;
}

}  // namespace

void WriteSarif(const FormInput& input, std::ostream& out) {
  const Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  Results results(report, input.sources);
  const std::vector<std::string> fingerprints = FingerprintsOf(report);
  const std::vector<const Place*> places = FindingsAndSuppressed(report);
  for (const Cause& cause : findings::CausesOf(report)) {
    // Findings come first among the places, in both.
    const auto first = static_cast<std::size_t>(cause.members.front() - report.places.data());
    results.Add(cause, fingerprints[first]);
  }
  for (std::size_t i = FindingPlaces(report).size(); i < places.size(); ++i) {
    results.Add({{places[i]}, *places[i]}, fingerprints[i]);
  }
  const Json invocation = {
      {"executionSuccessful", WasJudged(verdict)},
      {"exitCode", verdict::ExitCode(verdict)},
      {"toolExecutionNotifications", NotificationsJson(report, verdict, results)}};
  const Json run = {{"tool",
                     {{"driver",
                       {{"name", "coalcheck"},
                        {"semanticVersion", COALCHECK_VERSION},
                        {"rules", SarifRules()}}}}},
                    {"invocations", Json::array({invocation})},
                    {"columnKind", "utf16CodeUnits"},
                    {"results", std::move(results).Take()}};
  const Json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  out << JsonText(log, 1) << "\n";
}

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// Every difference, unchanged ones too, with the numbers of both sides.
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "libcoalcheck/output/diff/diff_writers.h"
#include "libcoalcheck/output/json/json_counts.h"
#include "libcoalcheck/output/json_document.h"

namespace coalcheck::output {
namespace {

using comparison::Change;
using comparison::Comparison;
using comparison::Measured;
using Json = nlohmann::ordered_json;

Json SideJson(const std::optional<Measured>& place) {
  if (!place) return nullptr;
  const comparison::WasteRate waste = place->waste();
  const Json no_number = nullptr;
  const bool has_line = !place->path.empty();
  return {{"fingerprint", ToHex(place->fingerprint)},
          {"path", has_line ? Json(place->path) : no_number},
          {"line", has_line ? Json(place->line) : no_number},
          {"line_text", place->text.empty() ? no_number : Json(place->text)},
          {"finding", place->is_finding},
          {"launches_checked", place->launches_checked.count()},
          {"requests", NumberIf(place->has_requests, place->counts.requests)},
          {"sectors", place->counts.sectors.count()},
          {"ideal_sectors", place->counts.ideal.count()},
          {"wasted_sectors", place->counts.Wasted().count()},
          {"wasted_share_percent", waste.share * 100},
          {"wasted_sectors_per_request",
           waste.sectors_per_request ? Json(*waste.sectors_per_request) : no_number},
          {"wasted_sectors_per_launch", place->WastedPerLaunch()},
          {"waiting_share_of_program_percent",
           place->waiting ? Json(*place->waiting * 100) : no_number}};
}

Json RunJson(const comparison::MeasuredRun& run) {
  return {{"name", run.name},
          {"launches", run.launches.count()},
          {"launches_checked", run.launches_checked.count()},
          {"cost_known", run.has_cost},
          {"incomplete", run.incomplete.empty() ? Json() : Json(run.incomplete)},
          {"notes", run.notes}};
}

Json DifferenceJson(const comparison::Difference& difference) {
  const Measured& place = difference.after ? *difference.after : *difference.before;
  return {{"change", ToString(difference.change)},
          {"kind", place.kind},
          {"kernel", place.kernel},
          {"line_text_changed", difference.text_changed},
          {"worse_in_recording",
           difference.worse_alone ? Json(difference.after->worst->recording) : Json()},
          {"base", SideJson(difference.before)},
          {"new", SideJson(difference.after)}};
}

}  // namespace

std::string DiffJson(const Comparison& comparison) {
  Json summary;
  for (const Change change : {Change::kWorsened, Change::kAppeared, Change::kImproved,
                              Change::kVanished, Change::kNotSeen, Change::kUnchanged}) {
    const std::string key = change == Change::kNotSeen ? "not_seen" : std::string(ToString(change));
    summary[key] = comparison.Number(change);
  }
  std::ostringstream text;
  JsonDocument json(text);
  json.Add("format", "coalcheck-diff");
  json.Add("major", 1);
  json.Add("minor", 1);
  json.Add("tool_version", COALCHECK_VERSION);
  json.Add("base", RunJson(comparison.before));
  json.Add("new", RunJson(comparison.after));
  json.Add("lines_unknown", comparison.lines_unknown);
  json.Add("summary", summary);
  json.AddEach("differences", comparison.differences, DifferenceJson);
  json.End();
  return std::move(text).str();
}

}  // namespace coalcheck::output

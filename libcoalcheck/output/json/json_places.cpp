// SPDX-License-Identifier: Apache-2.0
//
// One row for each place, in the report's order.
#include "libcoalcheck/comparison/measured.h"
#include "libcoalcheck/output/json/json_counts.h"
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {

namespace {

using Json = nlohmann::ordered_json;

Json PlaceJson(const findings::Report& report, const findings::Place& whole,
               const comparison::Measured& place) {
  const bool has_line = !place.path.empty();
  Json row = {{"fingerprint", ToHex(place.fingerprint)},
              {"anchor", ToHex(place.anchor)},
              {"finding", whole.is_finding},
              {"excuse", ExcuseJson(whole.excuse)},
              {"standing", whole.standing.empty() ? Json(nullptr) : Json(whole.standing)},
              {"in_scope", place.in_scope},
              {"known", place.is_known},
              {"kind", place.kind},
              {"kernel", place.kernel},
              {"path", has_line ? Json(place.path) : Json(nullptr)},
              {"line", has_line ? Json(place.line) : Json(nullptr)},
              {"line_text", place.text.empty() ? Json(nullptr) : Json(place.text)},
              {"launches_checked", place.launches_checked.count()}};
  AddCounts(place.counts, report.present, row);
  AddWaste(place.counts, row);
  row["waiting_share_of_program_percent"] =
      place.waiting ? Json(*place.waiting * 100) : Json(nullptr);
  return row;
}

}  // namespace

void AddPlaces(const findings::Report& report, JsonDocument& json) {
  const auto measured = comparison::Measure(report, "").places;
  auto whole = report.places.begin();
  json.AddEach("places", measured, [&](const comparison::Measured& place) {
    return PlaceJson(report, *whole++, place);
  });
}

}  // namespace coalcheck::output

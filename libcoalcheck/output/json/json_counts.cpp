// SPDX-License-Identifier: Apache-2.0
//
// The keys that all rows with counts have.
#include "libcoalcheck/output/json/json_counts.h"

namespace coalcheck::output {

using findings::CountersPresent;
using findings::Counts;
using Json = nlohmann::ordered_json;

void AddCounts(const Counts& counts, const CountersPresent& present, Json& object) {
  object["requests"] = NumberIf(present.requests, counts.requests);
  object["lanes"] = NumberIf(present.lanes, counts.lanes);
  object["sectors"] = counts.sectors.count();
  object["ideal_sectors"] = counts.ideal.count();
  object["lines"] = NumberIf(present.lines, counts.lines);
}

void AddWaste(const Counts& counts, Json& object) {
  object["wasted_sectors"] = counts.Wasted().count();
  object["wasted_share_percent"] = counts.WastedShare() * 100;
}

// Averages over requests; null where nothing can be divided.
Json PerRequestJson(const Counts& counts, const CountersPresent& present) {
  const bool known = present.requests && counts.requests > Requests(0);
  const auto average = [&](bool is_present, auto quantity) {
    return known && is_present ? Json(Per(quantity, counts.requests)) : Json(nullptr);
  };
  return {{"lanes", average(present.lanes, counts.lanes)},
          {"sectors", average(true, counts.sectors)},
          {"ideal_sectors", average(true, counts.ideal)},
          {"lines", average(present.lines, counts.lines)}};
}

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// Rates of waste, and whether they got better or worse.
#include "libcoalcheck/findings/known_finding.h"

#include <algorithm>

namespace coalcheck::findings {

WasteRate WasteRateOf(const Counts& counts, bool has_requests) {
  WasteRate waste;
  waste.share = counts.WastedShare();
  if (has_requests && counts.requests > Requests(0)) {
    waste.sectors_per_request = Per(counts.Wasted(), counts.requests);
  }
  return waste;
}

Trend TrendOf(const WasteRate& before, const WasteRate& after, double tolerance) {
  const bool per_request = before.sectors_per_request && after.sectors_per_request;
  const double was = per_request ? *before.sectors_per_request : before.share;
  const double is = per_request ? *after.sectors_per_request : after.share;
  const double least = std::max(was, is) * tolerance;
  if (is - was > least) return Trend::kWorse;
  if (was - is > least) return Trend::kBetter;
  return Trend::kSame;
}

std::string_view ToString(Excuse::By by) {
  return by == Excuse::By::kBaseline ? "baseline" : "suppression";
}

}  // namespace coalcheck::findings

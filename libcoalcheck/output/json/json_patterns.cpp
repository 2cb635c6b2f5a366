// SPDX-License-Identifier: Apache-2.0
//
// One object for each share: what fits, the counts that decided, what to do.
#include <nlohmann/json.hpp>

#include "libcoalcheck/output/json/json_counts.h"
#include "libcoalcheck/output/json/json_parts.h"
#include "libcoalcheck/patterns/advice.h"

namespace coalcheck::output {
namespace {

using patterns::Candidate;
using patterns::ParameterUnit;
using patterns::Share;
using Json = nlohmann::ordered_json;

Json CandidateJson(const Candidate& one) {
  const ParameterUnit unit = patterns::UnitOf(one.pattern);
  const bool has_parameter = unit != ParameterUnit::kNone;
  const bool has_end = has_parameter && one.parameter.high;
  return {{"pattern", patterns::ToString(one.pattern)},
          {"unit", has_parameter ? Json(patterns::ToString(unit)) : Json(nullptr)},
          {"min", has_parameter ? Json(one.parameter.low) : Json(nullptr)},
          {"max", has_end ? Json(*one.parameter.high) : Json(nullptr)}};
}

Json AfterFixJson(const Share& share) {
  const auto after = patterns::SectorsAfterFix(share);
  if (!after) return nullptr;
  return {{"sectors_min", after->least.count()}, {"sectors_max", after->most.count()}};
}

Json ShareJson(const Share& share, const findings::CountersPresent& present) {
  const std::string advice = patterns::Advice(share.pattern);
  Json object = {{"class", patterns::ShortForm(share.pattern.candidates)},
                 {"candidates", Json::array()},
                 {"confidence", patterns::ToString(share.pattern.confidence)},
                 {"width_bytes", NumberIf(share.width > Bytes(0), share.width)}};
  for (const Candidate& one : share.pattern.candidates) {
    object["candidates"].push_back(CandidateJson(one));
  }
  AddCounts(share.counts, present, object);
  AddWaste(share.counts, object);
  object["per_request"] = PerRequestJson(share.counts, present);
  object["waste"] = patterns::ToString(share.waste);
  object["advice"] = advice.empty() ? Json(nullptr) : Json(advice);
  object["after_fix"] = AfterFixJson(share);
  return object;
}

}  // namespace

Json PatternsJson(const std::vector<Share>& shares, const findings::CountersPresent& present) {
  Json array = Json::array();
  for (const Share& share : shares) array.push_back(ShareJson(share, present));
  return array;
}

}  // namespace coalcheck::output

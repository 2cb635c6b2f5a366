// SPDX-License-Identifier: Apache-2.0
//
// Excuses, and the rows of a baseline that no longer hold.
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {
namespace {

using findings::KnownFinding;
using findings::WasteRate;
using Json = nlohmann::ordered_json;

Json RateJson(const WasteRate& waste) {
  return {{"wasted_sectors_per_request",
           waste.sectors_per_request ? Json(*waste.sectors_per_request) : Json(nullptr)},
          {"wasted_share_percent", waste.share * 100}};
}

Json KnownJson(const KnownFinding& known) {
  return {{"fingerprint", ToHex(known.fingerprint)},
          {"path", known.path.empty() ? Json(nullptr) : Json(known.path)},
          {"kind", known.kind},
          {"kernel", known.kernel},
          {"line_text", known.text.empty() ? Json(nullptr) : Json(known.text)},
          {"was", RateJson(known.waste)}};
}

Json KnownArray(const std::vector<KnownFinding>& all) {
  Json array = Json::array();
  for (const KnownFinding& known : all) array.push_back(KnownJson(known));
  return array;
}

}  // namespace

Json ExcuseJson(const std::optional<findings::Excuse>& excuse) {
  if (!excuse) return nullptr;
  return {{"by", findings::ToString(excuse->by)}, {"reason", excuse->reason}};
}

Json BaselineJson(const findings::Report& report) {
  if (!report.baseline) return nullptr;
  const findings::BaselineCheck& check = *report.baseline;
  Json improved = Json::array();
  for (const findings::BaselineCheck::Improved& one : check.improved) {
    Json row = KnownJson(one.known);
    row["now"] = RateJson(one.now);
    row["finding"] = one.is_finding;
    improved.push_back(std::move(row));
  }
  return {{"file", check.file},
          {"new", check.fresh},
          {"worse", check.worse},
          {"known", check.known},
          {"improved", improved},
          {"vanished", KnownArray(check.vanished)},
          {"not_seen", KnownArray(check.not_seen)}};
}

}  // namespace coalcheck::output

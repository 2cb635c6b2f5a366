// SPDX-License-Identifier: Apache-2.0
//
// A group's findings in short; `accesses` has the same accesses in full, over all launches.
#include <nlohmann/json.hpp>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::RangeGroup;
using findings::Report;
using Json = nlohmann::ordered_json;

Json FindingJson(const Report& part, const Access& access) {
  Json object = {{"kernel", Demangle(access.kernel)},
                 {"kernel_mangled", access.kernel},
                 {"kind", cubin::ToString(access.kind)}};
  if (access.shown) {
    object["file"] = access.shown->file;
    object["path"] = words::PathShown(part, access.shown->file);
    object["line"] = access.shown->line;
  } else {
    object["file"] = object["path"] = object["line"] = nullptr;
  }
  object["sectors"] = access.counts.sectors.count();
  object["ideal_sectors"] = access.counts.ideal.count();
  object["wasted_share_percent"] = access.counts.WastedShare() * 100;
  return object;
}

std::uint64_t WindowsOf(const Report& part) {
  std::uint64_t windows = 0;
  for (const findings::RecordingInfo& recording : part.recordings) windows += recording.windows;
  return windows;
}

Json GroupJson(const RangeGroup& group) {
  const Report& part = group.report;
  Json object;
  object["domain"] = group.range ? Json(group.range->domain) : Json(nullptr);
  object["name"] = group.range ? Json(group.range->name) : Json(nullptr);
  object["kind"] = group.range ? Json(ToString(group.range->kind)) : Json(nullptr);
  object["launches"] = part.launches.count();
  object["launches_checked"] = part.launches_checked.count();
  object["windows"] = WindowsOf(part);
  object["sectors"] = part.sectors.count();
  object["ideal_sectors"] = part.ideal.count();
  object["findings"] = Json::array();
  for (const Access& access : part.accesses) {
    if (access.is_finding) object["findings"].push_back(FindingJson(part, access));
  }
  return object;
}

}  // namespace

Json ByRangeJson(const Report& report) {
  Json groups = Json::array();
  for (const RangeGroup& group : report.by_range) groups.push_back(GroupJson(group));
  return groups;
}

}  // namespace coalcheck::output

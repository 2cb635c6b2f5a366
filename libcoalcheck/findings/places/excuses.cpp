// SPDX-License-Identifier: Apache-2.0
//
// An excused finding is not a finding, and is counted separately.
#include "libcoalcheck/findings/places/excuses.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace coalcheck::findings {
namespace {

// The key of an access, in the whole report and in its groups.
using ExcuseKey = std::tuple<std::string_view, cubin::AccessKind, std::vector<Frame>, PcOffset>;

ExcuseKey KeyOf(const Access& access) {
  const bool has_pc = access.chain.empty() && !access.instructions.empty();
  return {access.kernel, access.kind, access.chain,
          has_pc ? access.instructions.front().pc : PcOffset()};
}

void PutFindingsFirst(std::vector<Place>& places) {
  // Not the one in std::ranges: clang 14 cannot compile what it returns.
  std::stable_partition(places.begin(), places.end(),
                        [](const Place& place) { return place.is_finding; });
}

}  // namespace

void ExcusePlace(const Excuse& excuse, Place& place, std::vector<Access>& accesses) {
  for (const std::size_t index : place.accesses) {
    if (!accesses[index].is_finding) continue;
    accesses[index].is_finding = false;
    accesses[index].excuse = excuse;
  }
  place.is_finding = false;
  place.excuse = excuse;
}

void SettleExcuses(Report& report) {
  PutFindingsFirst(report.places);
  if (report.by_range.empty()) return;
  std::map<ExcuseKey, const Excuse*> excuses;
  for (const Access& access : report.accesses) {
    if (access.excuse) excuses[KeyOf(access)] = &*access.excuse;
  }
  for (RangeGroup& group : report.by_range) {
    std::vector<Access>& accesses = group.report.accesses;
    for (Place& place : group.report.places) {
      const auto found = excuses.find(KeyOf(accesses[place.accesses.front()]));
      if (place.is_finding && found != excuses.end()) {
        ExcusePlace(*found->second, place, accesses);
      }
    }
    PutFindingsFirst(group.report.places);
  }
}

std::uint64_t Excused(const Report& report, Excuse::By by) {
  return static_cast<std::uint64_t>(std::ranges::count_if(report.places, [by](const Place& place) {
    return place.in_scope && !place.is_finding && place.excuse && place.excuse->by == by;
  }));
}

}  // namespace coalcheck::findings

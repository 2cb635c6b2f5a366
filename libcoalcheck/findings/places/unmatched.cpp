// SPDX-License-Identifier: Apache-2.0
//
// A recording names the filters that fitted nothing in it: one that all of them name fitted
// nothing.
#include "libcoalcheck/findings/places/unmatched.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "libcoalcheck/findings/words/endings.h"
#include "libcoalcheck/options/nearest.h"

namespace coalcheck::findings {
namespace {

using recording::Unmatched;

// Who names a filter, and what was seen there that is like it.
struct Named {
  std::uint64_t processes = 0;  // that ended
  std::set<std::string> seen;
};
using Filter = std::pair<std::string, std::string>;  // option and value

std::map<Filter, Named> FiltersOf(const Report& report) {
  std::map<Filter, Named> filters;
  for (const RecordingInfo& recording : report.recordings) {
    for (const Unmatched& one : recording.unmatched) {
      Named& named = filters[{one.option, one.filter}];
      const std::uint64_t ended = ProcessesEnded(recording);
      named.processes += recording.is_merged() ? one.processes : ended;
      named.seen.insert(one.nearest.begin(), one.nearest.end());
    }
  }
  return filters;
}

}  // namespace

// A recording that ended and does not name a filter is one in which it fitted.
std::vector<Unmatched> UnmatchedInAll(const Report& report) {
  std::uint64_t ended = 0;
  for (const RecordingInfo& recording : report.recordings) ended += ProcessesEnded(recording);
  std::vector<Unmatched> unmatched;
  for (const auto& [filter, named] : FiltersOf(report)) {
    if (named.processes < ended) continue;
    const auto& [option, value] = filter;
    const std::vector<std::string> names(named.seen.begin(), named.seen.end());
    unmatched.push_back({option, value, options::NearestFew(value, names)});
  }
  return unmatched;
}

}  // namespace coalcheck::findings

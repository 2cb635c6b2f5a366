// SPDX-License-Identifier: Apache-2.0
//
// A recording names the filters that fitted nothing in it: one that all of them name fitted
// nothing.
#include "libcoalcheck/findings/unmatched.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "libcoalcheck/options/nearest.h"

namespace coalcheck::findings {
namespace {

using recording::Unmatched;

// Who names a filter, and what was seen there that is like it.
struct Named {
  std::set<std::size_t> recordings;
  std::set<std::string> seen;
};
using Filter = std::pair<std::string, std::string>;  // option and value

std::map<Filter, Named> FiltersOf(const Report& report) {
  std::map<Filter, Named> filters;
  for (std::size_t i = 0; i < report.recordings.size(); ++i) {
    for (const Unmatched& one : report.recordings[i].unmatched) {
      Named& named = filters[{one.option, one.filter}];
      named.recordings.insert(i);
      named.seen.insert(one.nearest.begin(), one.nearest.end());
    }
  }
  return filters;
}

}  // namespace

// A recording that ended and does not name a filter is one in which it fitted.
std::vector<Unmatched> UnmatchedInAll(const Report& report) {
  const auto ended = std::ranges::count_if(
      report.recordings, [](const RecordingInfo& recording) { return recording.end.has_value(); });
  std::vector<Unmatched> unmatched;
  for (const auto& [filter, named] : FiltersOf(report)) {
    const auto named_and_ended = std::ranges::count_if(
        named.recordings, [&](std::size_t i) { return report.recordings[i].end.has_value(); });
    if (named_and_ended < ended) continue;
    const auto& [option, value] = filter;
    const std::vector<std::string> names(named.seen.begin(), named.seen.end());
    unmatched.push_back({option, value, options::NearestFew(value, names)});
  }
  return unmatched;
}

}  // namespace coalcheck::findings

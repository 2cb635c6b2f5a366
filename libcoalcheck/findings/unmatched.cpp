// SPDX-License-Identifier: Apache-2.0
//
// A recording names the filters that fitted nothing in it: one that all of them name fitted
// nothing.
#include "libcoalcheck/findings/unmatched.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "libcoalcheck/options/nearest.h"

namespace coalcheck::findings {
namespace {

using recording::Unmatched;

const Unmatched* Find(const RecordingInfo& recording, const Unmatched& filter) {
  const auto found = std::ranges::find_if(recording.unmatched, [&](const Unmatched& one) {
    return one.option == filter.option && one.filter == filter.filter;
  });
  return found == recording.unmatched.end() ? nullptr : &*found;
}

// Whether the filter fitted nothing anywhere; gathers what was seen that is like it.
bool IsUnmatched(const Report& report, const Unmatched& filter, std::set<std::string>& seen) {
  for (const RecordingInfo& recording : report.recordings) {
    const Unmatched* here = Find(recording, filter);
    if (here != nullptr) {
      seen.insert(here->nearest.begin(), here->nearest.end());
    } else if (recording.end) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Unmatched> UnmatchedInAll(const Report& report) {
  std::vector<Unmatched> unmatched;
  std::set<std::pair<std::string, std::string>> asked;
  for (const RecordingInfo& recording : report.recordings) {
    for (const Unmatched& one : recording.unmatched) {
      if (!asked.insert({one.option, one.filter}).second) continue;
      std::set<std::string> seen;
      if (!IsUnmatched(report, one, seen)) continue;
      const std::vector<std::string> names(seen.begin(), seen.end());
      unmatched.push_back({one.option, one.filter, options::NearestFew(one.filter, names)});
    }
  }
  return unmatched;
}

}  // namespace coalcheck::findings

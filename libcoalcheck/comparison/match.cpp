// SPDX-License-Identifier: Apache-2.0
//
// Exact ones first, so that no guess takes a place that is known.
#include "libcoalcheck/comparison/match.h"

#include <algorithm>
#include <map>

namespace coalcheck::comparison {
namespace {

using Indices = std::vector<std::size_t>;

struct Group {
  Indices before;
  Indices after;
};

}  // namespace

std::vector<std::optional<std::size_t>> Match(std::span<const MatchKey> before,
                                              std::span<const MatchKey> after) {
  std::vector<std::optional<std::size_t>> matched(before.size());
  std::vector<bool> taken(after.size());
  std::map<Fingerprint, Indices> known;
  for (std::size_t i = after.size(); i > 0; --i) known[after[i - 1].fingerprint].push_back(i - 1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto found = known.find(before[i].fingerprint);
    if (found == known.end() || found->second.empty()) continue;
    matched[i] = found->second.back();
    taken[*matched[i]] = true;
    found->second.pop_back();
  }
  std::map<Fingerprint, Group> left;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!matched[i]) left[before[i].anchor].before.push_back(i);
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (!taken[i]) left[after[i].anchor].after.push_back(i);
  }
  for (const auto& [anchor, group] : left) {
    if (group.before.size() != group.after.size()) continue;
    for (std::size_t i = 0; i < group.before.size(); ++i) {
      matched[group.before[i]] = group.after[i];
    }
  }
  return matched;
}

}  // namespace coalcheck::comparison

// SPDX-License-Identifier: Apache-2.0
//
// Levenshtein distance, one row at a time.
#include "libcoalcheck/options/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coalcheck::options {
namespace {

constexpr std::size_t kLongestWord = 64;  // longer words are not typing mistakes

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Nearest(std::string_view word, std::span<const std::string> known) {
  if (word.size() > kLongestWord) return {};
  std::string nearest;
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::vector<std::string> NearestFew(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kFew = 3;
  const std::string_view start = word.substr(0, kLongestWord);
  std::vector<std::pair<std::size_t, std::string_view>> by_distance;
  for (const std::string& candidate : known) {
    const std::string_view other = std::string_view(candidate).substr(0, kLongestWord);
    by_distance.emplace_back(EditDistance(start, other), candidate);
  }
  const std::size_t few = std::min(kFew, by_distance.size());
  std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<std::ptrdiff_t>(few),
                    by_distance.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < few; ++i) nearest.emplace_back(by_distance[i].second);
  return nearest;
}

}  // namespace coalcheck::options

// SPDX-License-Identifier: Apache-2.0
//
// Stretches as numbers with a dash, the last behind an "and".
#include "libcoalcheck/findings/words/rank_words.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::words {
namespace {

constexpr std::size_t kMostStretches = 8;

}  // namespace

std::string Ranks(const recording::RankSet& ranks) {
  std::vector<std::string> parts;
  std::uint64_t named = 0;
  for (const auto& [first, last] : ranks.spans()) {
    if (parts.size() == kMostStretches) break;
    parts.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    named += std::uint64_t{last} - first + 1;
  }
  if (ranks.Count() > named) {
    parts.push_back(fmt::format("{} more", Grouped(ranks.Count() - named)));
  }
  std::string text = ranks.Count() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace coalcheck::words

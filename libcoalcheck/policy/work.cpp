// SPDX-License-Identifier: Apache-2.0
//
// A name costs by its length, an expression by its states, too.
#include "libcoalcheck/policy/work.h"

#include <algorithm>

#include "libcoalcheck/selection/glob.h"

namespace coalcheck::policy {
namespace {

constexpr std::uint64_t kWorkOfTry = 60;
constexpr std::uint64_t kWorkOfCharacter = 2;
constexpr std::uint64_t kWorkOfState = 40;   // of a regular expression, for each character
constexpr std::uint64_t kLeastOfRange = 32;  // characters, however short its name is

std::uint64_t OfCharacter(std::size_t weight) {
  return weight == 0 ? kWorkOfCharacter : kWorkOfState * weight;
}

// Characters of a name of that length that are read. At each of them the rest is looked at, too,
// which takes so much less for each: measured, 0.6 s for 4096 characters.
std::uint64_t Read(std::size_t name, bool looks_ahead) {
  constexpr std::uint64_t kAheadOfOne = 8;
  const std::uint64_t read = std::min(name, selection::kLongestName);
  return looks_ahead ? read * std::max<std::uint64_t>(read / kAheadOfOne, 1) : read;
}

// That are held against each name, at most.
std::size_t ConditionsIn(const selection::RangeFilter& filter) {
  if (filter.expression()) return 1;
  const auto separates = [](char c) { return c == '/' || c == ','; };
  return 1 + static_cast<std::size_t>(std::ranges::count_if(filter.text(), separates));
}

}  // namespace

bool Work::Spend(std::uint64_t work) {
  left_ -= std::min(work, left_);
  return left_ > 0;
}

bool Work::SpendOnName(std::size_t weight, bool looks_ahead, std::size_t name) {
  return Spend(kWorkOfTry + OfCharacter(weight) * Read(name, looks_ahead));
}

// Domains are compared whole.
bool Work::SpendOnRanges(const selection::RangeFilter& filter, const std::vector<OpenRange>& open) {
  const std::size_t conditions = ConditionsIn(filter);
  const bool looks_ahead = selection::LooksAheadIn(filter);
  std::uint64_t characters = 0;
  std::uint64_t of_domains = 0;
  for (const OpenRange& range : open) {
    characters += std::max(conditions * Read(range.name.size(), looks_ahead), kLeastOfRange);
    of_domains += range.domain.size();
  }
  return Spend(kWorkOfTry + OfCharacter(selection::WeightIn(filter)) * characters +
               kWorkOfCharacter * of_domains);
}

}  // namespace coalcheck::policy

// SPDX-License-Identifier: Apache-2.0
//
// Puts the patterns of a class into one phrase.
#include "libcoalcheck/findings/words/pattern_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::words {
namespace {

using patterns::Candidate;
using patterns::Pattern;

// "124 bytes", "8 lanes", "at least 4 lanes".
std::string Parameter(const Candidate& one) {
  const bool is_one_byte = patterns::UnitOf(one.pattern) == patterns::ParameterUnit::kBytes &&
                           one.parameter == patterns::ParameterRange{1, 1};
  if (is_one_byte) return "1 byte";
  return fmt::format("{} {}", Range(one.parameter),
                     patterns::ToString(patterns::UnitOf(one.pattern)));
}

std::string Phrase(const Candidate& one, const Candidate* stride) {
  const patterns::Descriptor& said = patterns::DescriptorOf(one.pattern);
  const bool of_warp = !said.phrase_of_warp.empty() && one.parameter.low == kWarpSize;
  const bool is_structure =
      one.pattern == Pattern::kStructField || one.pattern == Pattern::kPaddedStruct;
  const bool is_said = is_structure && stride != nullptr && stride->parameter == one.parameter;
  return fmt::format(fmt::runtime(of_warp ? said.phrase_of_warp : said.phrase),
                     is_said ? "that size" : Parameter(one));
}

}  // namespace

std::string Range(const patterns::ParameterRange& range) {
  if (!range.high) return "at least " + Grouped(range.low);
  if (range.IsExact()) return Grouped(range.low);
  return fmt::format("{} to {}", Grouped(range.low), Grouped(*range.high));
}

std::string Patterns(const std::vector<Candidate>& candidates) {
  const auto find = [&](Pattern pattern) {
    const auto found = std::ranges::find(candidates, pattern, &Candidate::pattern);
    return found == candidates.end() ? nullptr : &*found;
  };
  std::vector<std::string> phrases;
  for (const Candidate& one : candidates) {
    const bool is_said = one.pattern == Pattern::kPaddedStruct && find(Pattern::kStructField);
    if (!is_said) phrases.push_back(Phrase(one, find(Pattern::kStrided)));
  }
  if (phrases.size() < 2) return phrases.empty() ? "unknown" : phrases.front();
  const std::string last = phrases.back();
  phrases.pop_back();
  return fmt::format("{}, or {}", fmt::join(phrases, ", "), last);
}

}  // namespace coalcheck::words

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

std::string Bytes(const Candidate& one) {
  const bool is_one = one.parameter == patterns::ParameterRange{1, 1};
  return Range(one.parameter) + (is_one ? " byte" : " bytes");
}

std::string Structure(const Candidate& one, const Candidate* stride) {
  return stride != nullptr && stride->parameter == one.parameter ? "of that size"
                                                                 : "of " + Bytes(one);
}

std::string Phrase(const Candidate& one, const Candidate* stride) {
  switch (one.pattern) {
    case Pattern::kCoalesced:
      return "consecutive elements";
    case Pattern::kNarrow:
      return "consecutive elements of few bytes";
    case Pattern::kBroadcast:
      return one.parameter.low == kWarpSize
                 ? "one element for all lanes"
                 : fmt::format("elements that {} lanes share", Range(one.parameter));
    case Pattern::kPartialWarps:
      return "consecutive elements with inactive lanes between";
    case Pattern::kMisaligned:
      return fmt::format("consecutive elements that begin {} off a sector", Bytes(one));
    case Pattern::kRuns:
      return fmt::format("runs of {} lanes, each elsewhere", Range(one.parameter));
    case Pattern::kStrided:
      return "strided by " + Bytes(one);
    case Pattern::kStructField:
      return "a field of a structure " + Structure(one, stride);
    case Pattern::kPaddedStruct:
      return fmt::format("a field of a structure {}, part of which is never used",
                         Structure(one, stride));
    case Pattern::kScattered:
      return "scattered";
    case Pattern::kAtomicsApart:
      return "atomics on distinct lines";
    case Pattern::kLocalSpills:
      return "spills to local memory";
    case Pattern::kUnknown:
      break;
  }
  return "unknown";
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

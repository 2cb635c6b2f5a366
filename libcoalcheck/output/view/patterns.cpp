// SPDX-License-Identifier: Apache-2.0
//
// The shares of all instantiations that a place sums, joined again.
#include "libcoalcheck/output/view/patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "libcoalcheck/findings/words/array_name.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/findings/words/pattern_words.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/view/code.h"
#include "libcoalcheck/patterns/advice.h"

namespace coalcheck::output {
namespace {

using findings::Report;
using patterns::Share;

constexpr std::size_t kMostLines = 3;

// The wasteful ones, worst first.
std::vector<Share> WastefulShares(const Report& report, const findings::Place& place) {
  std::vector<Share> shares;
  for (std::size_t i = 0; i < place.counted; ++i) {
    for (const Share& share : report.accesses[place.accesses[i]].patterns) {
      if (share.counts.Wasted() > Sectors(0)) patterns::AddShare(share, shares);
    }
  }
  patterns::SettleShares(shares);
  return shares;
}

std::string Average(double value, std::string_view unit) {
  return fmt::format("{} {}{}", words::Average(value), unit, value == 1 ? "" : "s");
}

// What decided, where the line above gives the numbers of several patterns in sum.
std::string Numbers(const Share& share) {
  return fmt::format(" ({} in {})",
                     Average(Per(share.counts.sectors, share.counts.requests), "sector"),
                     Average(Per(share.counts.lines, share.counts.requests), "line"));
}

// `index`: the line that loads the index of scattered addresses.
std::string PatternSentence(const Share& share, Sectors wasted, bool is_only,
                            std::string_view index) {
  std::string pattern = words::Patterns(share.pattern.candidates);
  if (share.pattern.Is(patterns::Pattern::kScattered)) pattern += index;
  const bool is_vague = share.pattern.confidence == patterns::Confidence::kLow;
  const std::string_view doubt = is_vague ? ", judged by the average of requests that differ" : "";
  if (is_only) return fmt::format("pattern: {}{}", pattern, doubt);
  return fmt::format("pattern of {} of the waste: {}{}{}",
                     words::Percent(Per(share.counts.Wasted(), wasted)), pattern, Numbers(share),
                     doubt);
}

std::string WasteSentence(const Share& share) {
  switch (share.waste) {
    case patterns::Waste::kShared:
      return "the rest of these sectors is used by other accesses of the same warp";
    case patterns::Waste::kLikelyAbsorbed:
      return "likely absorbed by L1: other accesses use the rest of these sectors soon";
    case patterns::Waste::kWasted:
    case patterns::Waste::kUnknown:
      break;
  }
  return {};
}

std::string AdviceOn(const Share& share, const std::string& array) {
  const std::string advice = patterns::Advice(share.pattern);
  if (advice.empty()) return {};
  std::string line =
      array.empty() ? advice : fmt::format("for {}: {}", words::Printable(array), advice);
  const std::optional<patterns::AfterFix> after = patterns::SectorsAfterFix(share);
  if (after && share.counts.requests > Requests(0)) {
    const bool is_certain = after->least == after->most;
    line += fmt::format(" ({} a request{})",
                        Average(Per(after->least, share.counts.requests), "sector"),
                        is_certain ? " then" : " at best");
  }
  return line;
}

// "neighbouring threads are 16 bytes apart": of the instruction that wastes most.
std::string ApartWords(const Report& report, const findings::Place& place) {
  const findings::Access& access = report.accesses[words::WorstOf(report, place)];
  const auto worst = std::ranges::max_element(
      access.instructions, {},
      [](const findings::Instruction& one) { return one.counts.Wasted(); });
  return worst == access.instructions.end() ? "" : words::Printable(worst->address_text.apart);
}

// All accesses of a place are of one kind.
cubin::AccessKind KindOf(const Report& report, const findings::Place& place) {
  return report.accesses[place.accesses.front()].kind;
}

}  // namespace

Details PatternDetails(const Report& report, const findings::Place& place) {
  const std::vector<Share> shares = WastefulShares(report, place);
  if (shares.empty() || (shares.size() == 1 && shares[0].pattern.Is(patterns::Pattern::kUnknown))) {
    return {};
  }
  Sectors wasted;
  for (const Share& share : shares) wasted += share.counts.Wasted();
  const std::string index = IndexWords(report, place);
  Details details;
  for (std::size_t i = 0; i < shares.size() && i < kMostLines; ++i) {
    Add(About::kPattern, PatternSentence(shares[i], wasted, shares.size() == 1, index), details);
  }
  if (shares.size() > kMostLines) {
    Add(About::kPatternNote,
        "and " + words::Count(shares.size() - kMostLines, "more pattern", "more patterns"),
        details);
  }
  Add(About::kPatternNote, WasteSentence(shares.front()), details);
  return details;
}

std::string CauseWords(const Report& report, const findings::Place& place) {
  const std::vector<Share> shares = WastefulShares(report, place);
  if (shares.empty()) return {};
  const patterns::Classification& pattern = shares.front().pattern;
  const bool is_step = std::ranges::all_of(pattern.candidates, [](const auto& one) {
    return one.pattern == patterns::Pattern::kStrided ||
           one.pattern == patterns::Pattern::kStructField ||
           one.pattern == patterns::Pattern::kPaddedStruct ||
           one.pattern == patterns::Pattern::kScattered;
  });
  std::string apart = is_step ? ApartWords(report, place) : "";
  if (!apart.empty()) return apart;
  if (pattern.Is(patterns::Pattern::kUnknown)) return {};
  const bool is_scattered = pattern.Is(patterns::Pattern::kScattered);
  return words::Patterns(pattern.candidates) + (is_scattered ? IndexWords(report, place) : "");
}

std::string UsualAdvice(const Report& report, const findings::Place& place) {
  const std::vector<Share> shares = WastefulShares(report, place);
  if (shares.empty()) return {};
  return AdviceOn(shares.front(), findings::ArrayName(place.identity.text, KindOf(report, place)));
}

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// Names, units and ranges of the patterns.
#include "libcoalcheck/patterns/pattern.h"

#include <algorithm>
#include <array>

namespace coalcheck::patterns {
namespace {

struct Entry {
  Pattern pattern;
  std::string_view name;
  ParameterUnit unit;
};

constexpr std::array<Entry, kPatterns> kEntries = {{
    {Pattern::kCoalesced, "coalesced", ParameterUnit::kNone},
    {Pattern::kNarrow, "narrow", ParameterUnit::kNone},
    {Pattern::kPartialWarps, "partial_warps", ParameterUnit::kNone},
    {Pattern::kMisaligned, "misaligned", ParameterUnit::kBytes},
    {Pattern::kRuns, "runs", ParameterUnit::kLanes},
    {Pattern::kBroadcast, "broadcast", ParameterUnit::kLanes},
    {Pattern::kStrided, "strided", ParameterUnit::kBytes},
    {Pattern::kStructField, "struct_field", ParameterUnit::kBytes},
    {Pattern::kPaddedStruct, "padded_struct", ParameterUnit::kBytes},
    {Pattern::kScattered, "scattered", ParameterUnit::kNone},
    {Pattern::kAtomicsApart, "atomics_apart", ParameterUnit::kNone},
    {Pattern::kLocalSpills, "local_spills", ParameterUnit::kNone},
    {Pattern::kUnknown, "unknown", ParameterUnit::kNone},
}};

const Entry& EntryOf(Pattern pattern) {
  return *std::ranges::find(kEntries, pattern, &Entry::pattern);
}

std::string RangeText(const ParameterRange& range) {
  std::string text = std::to_string(range.low);
  if (!range.high) return text + "+";
  return range.IsExact() ? text : text + "-" + std::to_string(*range.high);
}

}  // namespace

std::string_view ToString(Pattern pattern) { return EntryOf(pattern).name; }

std::optional<Pattern> PatternFromString(std::string_view name) {
  const auto* found = std::ranges::find(kEntries, name, &Entry::name);
  if (found == kEntries.end()) return std::nullopt;
  return found->pattern;
}

ParameterUnit UnitOf(Pattern pattern) { return EntryOf(pattern).unit; }

std::string_view ToString(ParameterUnit unit) {
  switch (unit) {
    case ParameterUnit::kBytes:
      return "bytes";
    case ParameterUnit::kLanes:
      return "lanes";
    case ParameterUnit::kNone:
      break;
  }
  return "";
}

std::string_view ToString(Confidence confidence) {
  switch (confidence) {
    case Confidence::kHigh:
      return "high";
    case Confidence::kMedium:
      return "medium";
    case Confidence::kLow:
      break;
  }
  return "low";
}

bool ParameterRange::Meets(const ParameterRange& other) const {
  return (!high || other.low <= *high) && (!other.high || low <= *other.high);
}

void ParameterRange::Include(const ParameterRange& other) {
  low = std::min(low, other.low);
  high = high && other.high ? std::optional(std::max(*high, *other.high)) : std::nullopt;
}

const Candidate* Classification::Find(Pattern pattern) const {
  const auto found = std::ranges::find(candidates, pattern, &Candidate::pattern);
  return found == candidates.end() ? nullptr : &*found;
}

std::string ShortForm(const std::vector<Candidate>& candidates) {
  std::string text;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& one = candidates[i];
    text += ToString(one.pattern);
    const bool has_parameter = UnitOf(one.pattern) != ParameterUnit::kNone;
    const bool is_last = i + 1 == candidates.size();
    const bool continues = !is_last && has_parameter &&
                           UnitOf(candidates[i + 1].pattern) == UnitOf(one.pattern) &&
                           candidates[i + 1].parameter == one.parameter;
    if (has_parameter && !continues) text += ":" + RangeText(one.parameter);
    if (!is_last) text += continues ? '|' : ',';
  }
  return text;
}

}  // namespace coalcheck::patterns

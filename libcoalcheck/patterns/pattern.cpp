// SPDX-License-Identifier: Apache-2.0
//
// The table of patterns, and ranges of their parameters.
#include "libcoalcheck/patterns/pattern.h"

#include <algorithm>
#include <array>

#include "libcoalcheck/base/units.h"

namespace coalcheck::patterns {
namespace {

constexpr std::uint64_t kSectorBytes = kSectorSize.count();
constexpr std::uint64_t kLineBytes = kCacheLineSize.count();
// Far enough apart that no line is shared, whatever a run's length.
constexpr std::uint64_t kApart = 2048;

std::uint64_t InARow(const ExampleLane& of) { return of.lane * of.width; }
std::uint64_t OffSector(const ExampleLane& of) {
  return of.parameter % kSectorBytes + of.lane * of.width;
}
std::uint64_t InRuns(const ExampleLane& of) {
  return of.lane / of.parameter * kApart + of.lane % of.parameter * of.width;
}
std::uint64_t InGroups(const ExampleLane& of) { return of.lane / of.parameter * of.width; }
std::uint64_t InSteps(const ExampleLane& of) { return of.lane * of.parameter; }
std::uint64_t Anywhere(const ExampleLane& of) {
  return (of.lane * 11 + 5) % kWarpSize * kApart + of.lane * 40 % kLineBytes / of.width * of.width;
}
std::uint64_t OnLinesOfTheirOwn(const ExampleLane& of) { return of.lane * kLineBytes; }

constexpr auto kNone = ParameterUnit::kNone;
constexpr auto kBytes = ParameterUnit::kBytes;
constexpr auto kLanes = ParameterUnit::kLanes;
constexpr auto kIdeal = Repaired::kIdeal;

constexpr std::array<Descriptor, kPatterns> kDescriptors = {{
    {Pattern::kCoalesced, "coalesced", kNone, "consecutive elements", "", kIdeal, InARow},
    {Pattern::kNarrow, "narrow", kNone, "consecutive elements of few bytes",
     "let each lane take several elements with one vector access (char4, half2)", kIdeal, InARow},
    {Pattern::kPartialWarps, "partial_warps", kNone,
     "consecutive elements with inactive lanes between",
     "let whole warps take part: compact the active work, or give inactive lanes the elements "
     "between",
     Repaired::kPacked, InARow},
    {Pattern::kMisaligned, "misaligned", kBytes, "consecutive elements that begin {} off a sector",
     "begin on a multiple of 32 bytes: pad the rows, or shift the loop", kIdeal, OffSector},
    {Pattern::kRuns, "runs", kLanes, "runs of {}, each elsewhere",
     "let 32 threads run along the fastest index: a block at least 32 wide", kIdeal, InRuns},
    {Pattern::kBroadcast, "broadcast", kLanes, "elements that {} share", "", Repaired::kUncertain,
     InGroups, "one element for all lanes"},
    {Pattern::kStrided, "strided", kBytes, "strided by {}",
     "let consecutive lanes take consecutive elements: swap index roles, go through a shared tile, "
     "or use an array for each field",
     kIdeal, InSteps},
    {Pattern::kStructField, "struct_field", kBytes, "a field of a structure of {}",
     "fetch the structure whole with vector accesses, or keep each field in an array of its own",
     kIdeal, InSteps},
    {Pattern::kPaddedStruct, "padded_struct", kBytes,
     "a field of a structure of {}, part of which is never used",
     "keep the fields that are used in arrays of their own, or leave no gaps between them", kIdeal,
     InSteps},
    {Pattern::kScattered, "scattered", kNone, "scattered",
     "sort or bin the index, so that neighbouring lanes touch neighbouring elements",
     Repaired::kUncertain, Anywhere},
    {Pattern::kAtomicsApart, "atomics_apart", kNone, "atomics on distinct lines",
     "collect updates in shared memory first, or let neighbouring lanes update neighbours",
     Repaired::kUncertain, OnLinesOfTheirOwn},
    {Pattern::kLocalSpills, "local_spills", kNone, "spills to local memory",
     "free registers: smaller blocks in __launch_bounds__, less unrolling, arrays that are indexed "
     "by constants",
     kIdeal, nullptr},
    {Pattern::kUnknown, "unknown", kNone, "unknown", "", kIdeal, nullptr},
}};

static_assert(std::ranges::all_of(kDescriptors, [](const Descriptor& row) {
  return &row - kDescriptors.data() == static_cast<std::ptrdiff_t>(row.pattern);
}));

std::string RangeText(const ParameterRange& range) {
  std::string text = std::to_string(range.low);
  if (!range.high) return text + "+";
  return range.IsExact() ? text : text + "-" + std::to_string(*range.high);
}

}  // namespace

const Descriptor& DescriptorOf(Pattern pattern) {
  return kDescriptors[static_cast<std::size_t>(pattern)];
}

std::string_view ToString(Pattern pattern) { return DescriptorOf(pattern).name; }

std::optional<Pattern> PatternFromString(std::string_view name) {
  const auto* found = std::ranges::find(kDescriptors, name, &Descriptor::name);
  if (found == kDescriptors.end()) return std::nullopt;
  return found->pattern;
}

ParameterUnit UnitOf(Pattern pattern) { return DescriptorOf(pattern).unit; }

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

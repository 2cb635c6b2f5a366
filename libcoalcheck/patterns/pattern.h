// SPDX-License-Identifier: Apache-2.0
//
// The closed list of access patterns, and how one access is said to have one: by the patterns that
// fit everything known of it. Where several do, all are kept: a class of patterns, never a guess.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::patterns {

// In the order in which they are named where several fit. docs/patterns/ has a page on each, and
// pattern.cpp a row.
enum class Pattern {
  kCoalesced,     // consecutive lanes, consecutive elements: every sector touched is filled
  kNarrow,        // the same with elements of 1 or 2 bytes: few bytes for each request
  kPartialWarps,  // some lanes are inactive, and neighbours' sectors are half used for it
  kMisaligned,    // consecutive elements that start k bytes off a sector, which costs one more
  kRuns,          // runs of n lanes are consecutive, each run lies elsewhere
  kBroadcast,     // groups of n lanes, or all, share one element
  kStrided,       // consecutive lanes are s bytes apart
  kStructField,   // strided: a field of a structure of s bytes, all of which the kernel uses
  kPaddedStruct,  // strided: a structure of s bytes, some of which the kernel does not use
  kScattered,     // lanes' addresses follow no step
  kAtomicsApart,  // an atomic or reduction whose lanes each touch a line of their own
  kLocalSpills,   // registers spilled to local memory: seen in machine code, never measured
  kUnknown,       // nothing on this list has these counts, or too few counters were recorded
};
inline constexpr int kPatterns = static_cast<int>(Pattern::kUnknown) + 1;

// What a pattern's parameter counts.
enum class ParameterUnit { kNone, kBytes, kLanes };

// What an access would touch once the advice is followed.
enum class Repaired {
  kIdeal,      // the sectors that its bytes fill
  kUncertain,  // between the ideal and the sectors of now: how much sorting brings is not known
  kPacked,     // fewer: lanes that are inactive now are active then
};

// Where an access of an example of the pattern lies.
struct ExampleLane {
  std::uint64_t lane = 0;
  std::uint64_t parameter = 0;  // in the pattern's unit
  std::uint64_t width = 0;      // bytes
};

// All that is said of a pattern.
struct Descriptor {
  Pattern pattern;
  // "padded_struct": in JSON, in expectations and of the page in docs/patterns/.
  std::string_view name;
  ParameterUnit unit;
  // For people; {} is the parameter with its unit.
  std::string_view phrase;
  // One sentence without its full stop; empty where there is nothing to do.
  std::string_view advice;
  Repaired repaired;
  // The address of a lane's first byte, for a picture; null where addresses say nothing.
  std::uint64_t (*example)(const ExampleLane& of);
  // Instead of `phrase` where the parameter is a whole warp; may be empty.
  std::string_view phrase_of_warp = {};
};
const Descriptor& DescriptorOf(Pattern pattern);

std::string_view ToString(Pattern pattern);
std::optional<Pattern> PatternFromString(std::string_view name);
ParameterUnit UnitOf(Pattern pattern);
// "bytes", "lanes", "" for none.
std::string_view ToString(ParameterUnit unit);

// Both ends belong to it. Without `high` it is open: "at least `low`".
struct ParameterRange {
  std::uint64_t low = 0;
  std::optional<std::uint64_t> high;

  bool IsExact() const { return high == low; }
  bool Contains(std::uint64_t value) const { return value >= low && (!high || value <= *high); }
  bool Meets(const ParameterRange& other) const;
  // The smallest range that holds both.
  void Include(const ParameterRange& other);
  friend bool operator==(const ParameterRange&, const ParameterRange&) = default;
};

// One pattern that fits. Its parameter is in UnitOf(pattern); {0, 0} for patterns without one.
struct Candidate {
  Pattern pattern = Pattern::kUnknown;
  ParameterRange parameter{0, 0};
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

enum class Confidence {
  kLow,     // requests differ: what fits their average fits none of them for certain
  kMedium,  // all requests are alike, and several patterns have these counts; or only scattered has
  kHigh,    // all are alike and one pattern has these counts, or the code and the counts agree
};
std::string_view ToString(Confidence confidence);

struct Classification {
  std::vector<Candidate> candidates;  // at least one, in the order of the enumeration
  Confidence confidence = Confidence::kLow;
  friend bool operator==(const Classification&, const Classification&) = default;

  const Candidate* Find(Pattern pattern) const;
  bool Is(Pattern pattern) const { return candidates.size() == 1 && Find(pattern) != nullptr; }
};

// "strided|struct_field|padded_struct:12", "strided:128+,scattered", "misaligned:4-28": patterns
// of one parameter stand together. What `expect:` comments are held against.
std::string ShortForm(const std::vector<Candidate>& candidates);

}  // namespace coalcheck::patterns

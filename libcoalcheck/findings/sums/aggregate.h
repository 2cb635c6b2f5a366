// SPDX-License-Identifier: Apache-2.0
//
// The counts of many windows and recordings, summed per instruction, before anybody knows what the
// instructions are.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sums/counted_launch.h"
#include "libcoalcheck/findings/sums/raw_counts.h"
#include "libcoalcheck/findings/sums/sampled.h"
#include "libcoalcheck/findings/sums/variants.h"
#include "libcoalcheck/merging/job_book.h"
#include "libcoalcheck/merging/uncounted_book.h"

namespace coalcheck::findings {

// How many reasons for not counting are told apart, a dozen of which are the agent's; the others
// are Skip::kOther.
inline constexpr std::size_t kMostSkipReasons = 64;

// A function of a cubin; an empty cubin is one that is not known.
using FunctionKey = std::pair<std::optional<CubinId>, std::string>;

struct InstructionAggregate {
  RawCounts counts;
  std::vector<Variant> variants;  // which add up to `counts`
  // Of what is predicted, where the code of another architecture is judged otherwise: this one's,
  // 90 for sm_90. Its accesses are apart from the other's.
  std::uint32_t sm = 0;
};

struct FunctionAggregate {
  std::map<PcOffset, InstructionAggregate> instructions;
  std::uint64_t windows = 0;           // in which it had counts
  Launches all_inside;                 // all launches in those windows, of whichever kernel
  std::set<std::size_t> range_sets;    // in Aggregate::range_sets, that those windows were made in
  std::vector<CountedLaunch> counted;  // at most kMostCountedLaunches
  // Of the kernel that the function is; GiveUncounted() fills them in.
  std::vector<recording::UncountedSet> uncounted;
};

struct Aggregate {
  std::map<FunctionKey, FunctionAggregate> functions;  // one cubin's functions stand together
  std::map<std::string, KernelCoverage> kernels;
  std::set<std::string> skip_reasons;  // of all kernels, at most kMostSkipReasons
  std::map<OpenRange, RangeCoverage> ranges;
  bool lists_ranges = true;  // else `ranges` stays empty
  // What was open around all launches of a window, numbered as they come.
  std::map<std::vector<OpenRange>, std::size_t> range_sets;
  std::map<CubinId, std::set<std::string>> programs;  // which loaded each cubin
  std::vector<RecordingInfo> recordings;
  std::vector<Unreadable> unreadable;
  std::optional<Launch> launch;
  CountersPresent present;
  RawCounts total;
  Sampled sampled;
  merging::JobBook job;
  merging::UncountedBook uncounted;
};

// What a report says of the recording itself.
RecordingInfo Describe(const std::string& name, const recording::RecordedRun& run);

// Adds what `run` says. Sums stop at the largest value.
void AddRun(const std::string& name, const recording::RecordedRun& run, Aggregate& aggregate);
// The same; each window's counts are let go when they are added, so that both are never held whole.
void AddRun(const std::string& name, recording::RecordedRun&& run, Aggregate& aggregate);

}  // namespace coalcheck::findings

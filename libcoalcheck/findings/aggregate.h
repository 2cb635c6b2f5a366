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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// One value for each counter that coalcheck knows.
struct RawCounts {
  Counts direct;  // requests and lanes of everything but async copies
  Requests async_requests;
  Lanes async_lanes;

  RawCounts& operator+=(const RawCounts& other);
  // Requests and lanes of an instruction of that kind.
  Counts Of(cubin::AccessKind kind) const;
  // Those of an instruction of unknown kind: an instruction has one of the two, not both.
  Counts OfUnknownKind() const;
};

// Why launches that the agent counted are in no window that was read; other reasons are the
// agent's.
inline constexpr std::string_view kSkippedWindowLost = "window_lost";

// A function of a cubin; an empty cubin is one that is not known.
using FunctionKey = std::pair<std::optional<CubinId>, std::string>;

struct FunctionAggregate {
  std::map<PcOffset, RawCounts> instructions;
  std::uint64_t windows = 0;  // in which it had counts
  Launches all_inside;        // all launches in those windows, of whichever kernel
};

struct Aggregate {
  std::map<FunctionKey, FunctionAggregate> functions;  // one cubin's functions stand together
  std::map<std::string, KernelCoverage> kernels;
  std::map<OpenRange, RangeCoverage> ranges;
  std::vector<RecordingInfo> recordings;
  std::vector<Unreadable> unreadable;
  std::optional<Launch> launch;
  CountersPresent present;
  RawCounts total;
};

// Adds what `run` says. Sums stop at the largest value.
void AddRun(const std::string& name, const recording::RecordedRun& run, Aggregate& aggregate);

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// The records that only a merged recording has: what of each rank is left when the recordings of
// many processes have become one.
#pragma once

#include <absl/container/inlined_vector.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libcoalcheck/recording/rank_set.h"
#include "libcoalcheck/recording/recorded_lines.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// How some processes ended, alike.
struct Ending {
  bool said_so = false;         // the agent saw the end
  std::optional<EndKind> kind;  // empty: the end of the process was not seen
  std::uint32_t number = 0;     // as ProcessEnd::number
  std::uint32_t processes = 0;
};

using GpuUuid = std::array<std::uint8_t, 16>;

// What all processes of a rank on one host did together.
struct RankSums {
  Launches launches;  // all that were seen
  Launches checked;   // inside windows
  Sectors sectors;
  Sectors ideal;

  RankSums& operator+=(const RankSums& other);
};

// One rank on one host, or all processes of a host that have no rank.
struct RankEntry {
  JobMembership job;
  std::string host;
  std::vector<GpuUuid> gpus;    // ascending
  std::vector<Ending> endings;  // ascending, each kind once
  RankSums sums;
};

// A rank's counts of one instruction: so many sectors of so many requests.
struct RankValue {
  std::uint64_t sectors = 0;
  std::uint64_t requests = 0;  // at least 1
  std::uint32_t rank = 0;      // the lowest that has this
};

// Processes with about as many sectors a request.
struct SpreadStep {
  std::uint32_t eighths = 0;  // of a sector a request, rounded down
  std::uint64_t processes = 0;
  std::vector<std::uint32_t> ranks;  // the lowest few
};

// Over the ranks, of one instruction: sectors touched, or wasted, for each request.
struct Extent {
  RankValue least;
  RankValue most;
  std::vector<SpreadStep> steps;  // ascending
};

struct SpreadRow {
  PcOffset pc;
  std::uint64_t processes = 0;
  Extent touched;
  Extent wasted;
};

// One function of a cubin, in launches of one shape, over the processes that have a rank.
struct Spread {
  CubinId cubin;
  std::string function;  // mangled
  Dim3 grid;
  Dim3 block;
  std::vector<SpreadRow> rows;  // ascending
};

// A recording that was to be merged and could not be read.
struct Unread {
  std::string name;
  std::string why;
  friend auto operator<=>(const Unread&, const Unread&) = default;
};

using MergedRecord = std::variant<RankEntry, Spread, LostLines, Unread>;

}  // namespace coalcheck::recording

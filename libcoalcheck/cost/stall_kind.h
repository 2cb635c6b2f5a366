// SPDX-License-Identifier: Apache-2.0
//
// Which kind of instruction a stall reason is charged to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "libcoalcheck/base/units.h"

namespace coalcheck::cost {

enum class StallKind : std::uint8_t {
  kLongScoreboard,  // waits for the result of a memory instruction: charged to the one that set the
                    // scoreboard
  kShortScoreboard,  // the same, for shared memory and the special units
  kThrottle,         // the queue of global and local memory is full: the instruction itself
  kDrain,            // the warp is done but for its stores
  kSharedQueue,      // the queue that memory shares with shared memory and the special units
  kOther,            // anything else, work included
};
inline constexpr std::size_t kStallKinds = 6;

// "long scoreboard", as Nsight Compute calls it.
std::string_view ToString(StallKind kind);

struct StallReasonMeaning {
  StallKind kind = StallKind::kOther;
  // The samples are counted under the reason itself too; here are the samples in which the
  // scheduler had no other warp to issue from.
  bool exposed_only = false;
};

// Of a reason in CUPTI's words, "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued".
// Empty: it is no reason but a sum over them.
std::optional<StallReasonMeaning> MeaningOf(std::string_view reason);

// Samples, weighted by the cycles between two of them: a share of the multiprocessors' time.
struct StallTime {
  Cycles all;
  Cycles exposed;  // of `all`: the scheduler had no other warp to go on with

  StallTime& operator+=(const StallTime& other) {
    all += other.all;
    exposed += other.exposed;
    return *this;
  }
  friend bool operator==(const StallTime&, const StallTime&) = default;
};

struct StallTimes {
  std::array<StallTime, kStallKinds> kinds;

  StallTime& operator[](StallKind kind) { return kinds[static_cast<std::size_t>(kind)]; }
  const StallTime& operator[](StallKind kind) const {
    return kinds[static_cast<std::size_t>(kind)];
  }
  StallTimes& operator+=(const StallTimes& other) {
    for (std::size_t i = 0; i < kStallKinds; ++i) kinds[i] += other.kinds[i];
    return *this;
  }
  StallTime Sum() const {
    StallTime sum;
    for (const StallTime& one : kinds) sum += one;
    return sum;
  }
  friend bool operator==(const StallTimes&, const StallTimes&) = default;
};

}  // namespace coalcheck::cost

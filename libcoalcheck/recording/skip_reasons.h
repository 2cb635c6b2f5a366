// SPDX-License-Identifier: Apache-2.0
//
// Why launches were not counted: a row for each reason. The agent records its word, a report says
// its clause, and docs/recording-format.md explains it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace coalcheck::recording {

enum class Skip {
  kSampling,
  kNeverIdle,
  kGateBusy,
  kExcluded,
  kWaits,
  kWatched,
  kTimed,
  kCapturing,
  kGraphReplay,
  kOtherContext,
  kOtherRanks,
  kNotSelected,
  kOutsideRanges,
  kAutotuning,
  kLaunchRange,
  kSwitchedOff,
  kBudget,
  kWindowLimit,
  kOtherLanes,
  kFailed,
  // Only reports have these two: counts that no window holds, and reasons beyond the most that are
  // told apart.
  kWindowLost,
  kOther,
};

struct SkipReason {
  Skip reason;
  std::string_view word;     // in the recording
  std::string_view because;  // after "7 launches not counted: 7 "
};

// In the order of the enumeration.
inline constexpr SkipReason kSkipReasons[] = {
    {Skip::kSampling, "sampling", "by sampling"},
    {Skip::kNeverIdle, "never_idle", "because their context was never idle"},
    {Skip::kGateBusy, "gate_busy", "because other threads kept launching"},
    {Skip::kExcluded, "excluded", "because their kernel is excluded"},
    {Skip::kWaits, "waits_for_others", "because their kernel needs other work to progress"},
    {Skip::kWatched, "watched", "to see whether their kernel ends without other work"},
    {Skip::kTimed, "timed", "to see how long their kernel takes before it is counted"},
    {Skip::kCapturing, "capturing", "because another stream was capturing"},
    {Skip::kGraphReplay, "graph_replay", "as later launches of a graph"},
    {Skip::kOtherContext, "other_context",
     "in a graph that was launched on another GPU or context"},
    {Skip::kOtherRanks, "other_ranks", "because other ranks count their shape"},
    {Skip::kNotSelected, "not_selected", "because their kernel is not selected"},
    {Skip::kOutsideRanges, "outside_ranges", "outside the selected ranges"},
    {Skip::kAutotuning, "autotuning", "as launches of autotuning"},
    {Skip::kLaunchRange, "launch_range", "by --launch-skip or --launch-count"},
    {Skip::kSwitchedOff, "switched_off", "while checking was switched off"},
    {Skip::kBudget, "budget", "to stay under the budget"},
    {Skip::kWindowLimit, "window_limit", "whose windows would take too long (--window-limit)"},
    {Skip::kOtherLanes, "other_lanes",
     "because their lanes wait for lanes that do not wait for them: while counted they may never "
     "end"},
    {Skip::kFailed, "failed", "because counting or launching failed"},
    {Skip::kWindowLost, "window_lost", "because its window was lost"},
    {Skip::kOther, "other", "for other reasons"},
};
static_assert(std::ranges::all_of(kSkipReasons, [](const SkipReason& row) {
  return &row - kSkipReasons == static_cast<std::ptrdiff_t>(row.reason);
}));

// Null where the agent has no such reason.
constexpr const SkipReason* FindSkipReason(std::string_view word) {
  const auto* found = std::ranges::find(kSkipReasons, word, &SkipReason::word);
  return found == std::end(kSkipReasons) ? nullptr : found;
}

constexpr std::string_view ToString(Skip reason) {
  return kSkipReasons[static_cast<std::size_t>(reason)].word;
}

}  // namespace coalcheck::recording

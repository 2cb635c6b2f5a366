// SPDX-License-Identifier: Apache-2.0
//
// What a recording can say was not seen: the word of each loss. docs/recording-format.md explains
// them.
#pragma once

#include <string_view>

namespace coalcheck::recording::loss {

// Nothing could be counted: the report's exit code is 4.
inline constexpr std::string_view kCouldNotCollect = "could_not_collect";
// Launches were counted, and their counts are gone: the report is never clean.
inline constexpr std::string_view kWindowLost = "window_lost";
// Launches that were not counted at all.
inline constexpr std::string_view kWindowSpoiled = "window_spoiled";
inline constexpr std::string_view kWindowLimit = "window_limit";
inline constexpr std::string_view kUnseenGraph = "unseen_graph";
inline constexpr std::string_view kUpdatedGraph = "updated_graph";
inline constexpr std::string_view kUnseenDeviceLaunches = "unseen_device_launches";
inline constexpr std::string_view kUnknownCallback = "unknown_callback";
inline constexpr std::string_view kCountingEnded = "counting_ended";
inline constexpr std::string_view kReleased = "released";
inline constexpr std::string_view kNotReleased = "not_released";
inline constexpr std::string_view kRecordingFull = "recording_full";
// Launches that ran as slowly as counted ones.
inline constexpr std::string_view kSlowed = "slowed";
// Code and sources that the recording lacks, launches without a shape of their own.
inline constexpr std::string_view kCubinNotStored = "cubin_not_stored";
inline constexpr std::string_view kSourcesLeftOut = "sources_left_out";
inline constexpr std::string_view kShapesFolded = "shapes_folded";
// Samples: none, or not all. The counts are whole.
inline constexpr std::string_view kNoPcSampling = "no_pc_sampling";
inline constexpr std::string_view kPcSamplesLost = "pc_samples_lost";
// NVTX ranges.
inline constexpr std::string_view kNoRanges = "no_ranges";
inline constexpr std::string_view kNvtxTooLate = "nvtx_too_late";
inline constexpr std::string_view kRangesFolded = "ranges_folded";
inline constexpr std::string_view kUnbalancedPop = "unbalanced_pop";
inline constexpr std::string_view kUnknownRangeEnd = "unknown_range_end";
inline constexpr std::string_view kOpenRange = "open_range";

}  // namespace coalcheck::recording::loss

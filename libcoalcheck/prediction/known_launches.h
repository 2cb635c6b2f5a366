// SPDX-License-Identifier: Apache-2.0
//
// What is known of the launches of kernels before they are made: shapes and arguments of a run made
// once, or given by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::prediction {

struct KnownLaunch {
  std::optional<address::Extent> grid;
  std::optional<address::Extent> block;
  std::string arguments;             // the block of parameters; empty: none is known
  std::optional<std::string> known;  // as LaunchValues::known; empty: all of them
  // Whole numbers by hand: parameters counted from 0. Over `arguments`.
  std::map<std::uint32_t, std::int64_t> by_number;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t launches = 1;
  std::string origin;  // "run.rec", "--launch"
};

// Of one kernel, at most: those that were made most often.
inline constexpr std::size_t kMostKnownLaunches = 8;

struct LaunchesOfKernel {
  std::vector<KnownLaunch> launches;
};

// KnownLaunch::origin of one that a user describes.
inline constexpr const char* kByHand = "--launch";

// Of kernels that nothing else is known of.
inline constexpr const char* kAnyKernel = "";

// By mangled name, by the name that a user gave, or kAnyKernel.
using KnownLaunches = std::map<std::string, LaunchesOfKernel>;

// Adds the launches of a recording: those that were counted, with their arguments, and where a
// kernel has none, the shapes that were seen.
void AddLaunches(const recording::RecordedRun& run, const std::string& origin,
                 KnownLaunches& launches);

// Whether a user calls a kernel so: its name without template arguments and parameters, with or
// without namespaces.
bool IsCalled(const std::string& mangled, const std::string& name);

// Those of a kernel: by hand, else recorded, else of any. Null where there are none.
const LaunchesOfKernel* FindLaunches(const KnownLaunches& launches, const std::string& mangled);

}  // namespace coalcheck::prediction

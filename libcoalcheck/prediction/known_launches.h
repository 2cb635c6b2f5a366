// SPDX-License-Identifier: Apache-2.0
//
// What is known of the launches of kernels before they are made: shapes and arguments of a run made
// once, or given by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::prediction {

// A whole number, or one with a fraction.
using ArgumentValue = std::variant<std::int64_t, double>;

struct KnownLaunch {
  std::optional<address::Extent> grid;
  std::optional<address::Extent> block;
  std::string arguments;             // the block of parameters; empty: none is known
  std::uint64_t argument_bytes = 0;  // of all parameters together, where there are arguments
  // Numbers by hand, over `arguments`: by the parameter's number, counted from 0, and by its name
  // in the source.
  std::map<std::uint32_t, ArgumentValue> by_number;
  std::map<std::string, ArgumentValue> by_name;
  std::optional<std::uint64_t> dynamic_shared_bytes;  // empty: not known
  std::uint64_t launches = 1;
  std::string origin;          // "run.rec", "--launch", "line 14"
  bool is_of_comment = false;  // in the source
  std::set<CubinId> cubins;    // of a recording: whose kernel it launched, as far as that is known
};

// The most launches that are kept of one kernel: those that were made most often, or whose comments
// stand nearest.
inline constexpr std::size_t kMostKnownLaunches = 8;

struct LaunchesOfKernel {
  std::vector<KnownLaunch> launches;
};

// A launch that a user describes.
struct NamedLaunch {
  std::string kernel;  // as the user calls it
  KnownLaunch launch;
};

// KnownLaunch::origin of one that a user describes.
inline constexpr const char* kByHand = "--launch";
// And of --block.
inline constexpr const char* kOfAny = "--block";

struct KnownLaunches {
  std::map<std::string, LaunchesOfKernel> recorded;  // by mangled name
  std::vector<NamedLaunch> by_hand;
  std::optional<KnownLaunch> of_any;  // of kernels that nothing else is known of
};

// Adds the launches of a recording: those that were counted, with their arguments, and where a
// kernel has none, the shapes that were seen.
void AddLaunches(const recording::RecordedRun& run, const std::string& origin,
                 KnownLaunches& launches);

}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// Launches of one kernel that differ in nothing that its requests depend on: of a pointer that is
// its place in its alignment, and whether it is null.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::findings {

struct LaunchKey {
  recording::Dim3 grid;
  recording::Dim3 block;
  std::optional<Bytes> shared_memory;
  std::optional<recording::Dim3> cluster;
  std::string arguments;
  friend auto operator<=>(const LaunchKey&, const LaunchKey&) = default;
};

// `pointers`: where they lie in the block of parameters.
LaunchKey KeyOf(const recording::UncountedSet& launch, std::span<const std::uint32_t> pointers);

struct AlikeLaunches {
  LaunchKey key;
  const recording::UncountedSet* example = nullptr;
  Launches launches;
};

// In the order of their keys. `sets` has to outlive what is returned.
std::vector<AlikeLaunches> GroupAlike(const std::vector<recording::UncountedSet>& sets,
                                      std::span<const std::uint32_t> pointers);

}  // namespace coalcheck::findings

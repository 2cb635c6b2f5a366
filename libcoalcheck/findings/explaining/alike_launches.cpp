// SPDX-License-Identifier: Apache-2.0
//
// Masks the pointers out, and compares what is left.
#include "libcoalcheck/findings/explaining/alike_launches.h"

#include <cstring>
#include <map>
#include <utility>

#include "libcoalcheck/address/launch_values.h"

namespace coalcheck::findings {

LaunchKey KeyOf(const recording::UncountedSet& launch, std::span<const std::uint32_t> pointers) {
  LaunchKey key{launch.grid, launch.block, launch.arguments.shared_memory, launch.arguments.cluster,
                launch.arguments.bytes};
  for (const std::uint32_t offset : pointers) {
    std::uint64_t pointer = 0;
    if (offset + sizeof pointer > key.arguments.size()) continue;
    std::memcpy(&pointer, key.arguments.data() + offset, sizeof pointer);
    if (pointer == 0) continue;
    pointer = address::kPointerAlignment + pointer % address::kPointerAlignment;
    std::memcpy(key.arguments.data() + offset, &pointer, sizeof pointer);
  }
  return key;
}

std::vector<AlikeLaunches> GroupAlike(const std::vector<recording::UncountedSet>& sets,
                                      std::span<const std::uint32_t> pointers) {
  std::map<LaunchKey, AlikeLaunches> groups;
  for (const recording::UncountedSet& set : sets) {
    LaunchKey key = KeyOf(set, pointers);
    AlikeLaunches& group = groups[key];
    if (group.example == nullptr) group = {std::move(key), &set, {}};
    group.launches += set.arguments.launches;
  }
  std::vector<AlikeLaunches> all;
  for (auto& [key, group] : groups) all.push_back(std::move(group));
  return all;
}

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// Collects launches that are alike.
#include "libcoalcheck/prediction/known_launches.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace coalcheck::prediction {
namespace {

address::Extent ExtentOf(const recording::Dim3& size) { return {size.x, size.y, size.z}; }

bool IsAlike(const KnownLaunch& a, const KnownLaunch& b) {
  return a.grid == b.grid && a.block == b.block && a.arguments == b.arguments &&
         a.by_number == b.by_number && a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

void Add(KnownLaunch launch, LaunchesOfKernel& kernel) {
  const auto found = std::ranges::find_if(
      kernel.launches, [&](const KnownLaunch& other) { return IsAlike(other, launch); });
  if (found != kernel.launches.end()) {
    found->launches += launch.launches;
    found->cubins.insert(launch.cubins.begin(), launch.cubins.end());
  } else {
    kernel.launches.push_back(std::move(launch));
  }
}

void AddInside(const recording::LaunchesInside& inside, const std::string& origin,
               const std::set<CubinId>& cubins, LaunchesOfKernel& kernel) {
  KnownLaunch launch;
  launch.cubins = cubins;
  launch.grid = ExtentOf(inside.shape.grid);
  launch.block = ExtentOf(inside.shape.block);
  launch.origin = origin;
  launch.launches = inside.launches.count();
  if (inside.arguments.empty()) return Add(std::move(launch), kernel);
  for (const recording::LaunchArguments& arguments : inside.arguments) {
    KnownLaunch one = launch;
    one.launches = arguments.launches.count();
    if (arguments.missing.empty()) one.arguments = arguments.bytes;
    one.argument_bytes = arguments.size.count();
    if (arguments.shared_memory) one.dynamic_shared_bytes = arguments.shared_memory->count();
    Add(std::move(one), kernel);
  }
}

// The cubins whose function a window counted under the kernel's name.
std::set<CubinId> CubinsOf(const recording::Window& window, const std::string& kernel) {
  std::set<CubinId> cubins;
  for (const recording::FunctionCounts& one : window.functions) {
    if (one.function == kernel && one.cubin) cubins.insert(*one.cubin);
  }
  return cubins;
}

}  // namespace

void AddLaunches(const recording::RecordedRun& run, const std::string& origin,
                 KnownLaunches& launches) {
  for (const recording::Window& window : run.windows) {
    if (window.sum_of > 0) continue;  // examples of it, with arguments, are beside it
    for (const recording::LaunchesInside& inside : window.inside) {
      const std::string& kernel = inside.shape.kernel;
      AddInside(inside, origin, CubinsOf(window, kernel), launches.recorded[kernel]);
    }
  }
  for (const recording::Tally& tally : run.tallies) {
    LaunchesOfKernel& kernel = launches.recorded[tally.shape.kernel];
    const bool has_counted = std::ranges::any_of(
        kernel.launches, [](const KnownLaunch& one) { return !one.arguments.empty(); });
    if (has_counted) continue;
    AddInside({tally.shape, tally.launches, {}}, origin, {}, kernel);
  }
  for (auto& [name, kernel] : launches.recorded) {
    std::ranges::stable_sort(kernel.launches, std::greater(), &KnownLaunch::launches);
    if (kernel.launches.size() > kMostKnownLaunches) kernel.launches.resize(kMostKnownLaunches);
  }
}

}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// Collects launches that are alike.
#include "libcoalcheck/prediction/known_launches.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace coalcheck::prediction {
namespace {

// The launches of one kernel while a recording is read; alike ones are one.
class AlikeLaunches {
 public:
  explicit AlikeLaunches(LaunchesOfKernel& kernel) : launches_(kernel.launches) {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      places_.emplace(KeyOf(launches_[i]), i);
      has_arguments_ = has_arguments_ || !launches_[i].arguments.empty();
    }
  }

  void Add(KnownLaunch launch) {
    has_arguments_ = has_arguments_ || !launch.arguments.empty();
    const auto [found, is_new] = places_.try_emplace(KeyOf(launch), launches_.size());
    if (is_new) {
      launches_.push_back(std::move(launch));
    } else {
      KnownLaunch& other = launches_[found->second];
      other.launches += launch.launches;
      other.cubins.insert(launch.cubins.begin(), launch.cubins.end());
    }
  }

  bool has_arguments() const { return has_arguments_; }

  void KeepMostFrequent() {
    std::ranges::stable_sort(launches_, std::greater(), &KnownLaunch::launches);
    if (launches_.size() > kMostKnownLaunches) launches_.resize(kMostKnownLaunches);
  }

 private:
  // What alike launches have in common; a recording gives no values by name or number.
  static std::string KeyOf(const KnownLaunch& launch) {
    const address::Extent grid = launch.grid.value_or(address::Extent{});
    const address::Extent block = launch.block.value_or(address::Extent{});
    return fmt::format("{} {} {} {} {} {} {} {}", grid.x, grid.y, grid.z, block.x, block.y, block.z,
                       launch.dynamic_shared_bytes.value_or(~std::uint64_t{0}), launch.arguments);
  }

  std::vector<KnownLaunch>& launches_;
  absl::flat_hash_map<std::string, std::size_t> places_;
  bool has_arguments_ = false;
};

void AddInside(const recording::LaunchesInside& inside, const std::string& origin,
               const std::set<CubinId>& cubins, AlikeLaunches& kernel) {
  KnownLaunch launch;
  launch.cubins = cubins;
  launch.grid = inside.shape.grid;
  launch.block = inside.shape.block;
  launch.origin = origin;
  launch.launches = inside.launches.count();
  if (inside.arguments.empty()) return kernel.Add(std::move(launch));
  for (const recording::LaunchArguments& arguments : inside.arguments) {
    KnownLaunch one = launch;
    one.launches = arguments.launches.count();
    if (arguments.missing.empty()) one.arguments = arguments.bytes;
    one.argument_bytes = arguments.size.count();
    if (arguments.shared_memory) one.dynamic_shared_bytes = arguments.shared_memory->count();
    kernel.Add(std::move(one));
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
  std::map<std::string, AlikeLaunches> kernels;
  const auto of = [&](const std::string& kernel) -> AlikeLaunches& {
    return kernels.try_emplace(kernel, launches.recorded[kernel]).first->second;
  };
  for (const recording::Window& window : run.windows) {
    if (window.sum_of > 0) continue;  // examples of it, with arguments, are beside it
    for (const recording::LaunchesInside& inside : window.inside) {
      const std::string& kernel = inside.shape.kernel;
      AddInside(inside, origin, CubinsOf(window, kernel), of(kernel));
    }
  }
  for (const recording::Tally& tally : run.tallies) {
    const std::string& kernel = tally.shape.kernel;
    if (of(kernel).has_arguments()) continue;
    AddInside({tally.shape, tally.launches, {}}, origin, {}, of(kernel));
  }
  for (auto& [name, kernel] : kernels) kernel.KeepMostFrequent();
}

}  // namespace coalcheck::prediction

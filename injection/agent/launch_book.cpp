// SPDX-License-Identifier: Apache-2.0
//
// Tallies per launch shape, with a small per-thread cache in front of the map.
#include "injection/agent/launch_book.h"

#include <algorithm>
#include <utility>

#include "libcoalcheck/base/demangle.h"

namespace coalcheck::agent {
namespace {

// Collectives spin until their peers arrive; holding one in a window can hold up its peer for good.
bool IsCollective(std::string_view kernel) {
  for (const std::string_view prefix : {"nccl", "nvshmem"}) {
    // Also behind the Itanium length prefix: _Z20ncclDevKernel…
    const std::size_t at = kernel.find(prefix);
    if (at == std::string_view::npos || at > 6) continue;
    const std::string_view before = kernel.substr(0, at);
    if (before.empty() || (before.substr(0, 2) == "_Z" &&
                           before.find_first_not_of("0123456789LN", 2) == std::string_view::npos)) {
      return true;
    }
  }
  return false;
}

// A shape found lately by this thread.
struct CachedShape {
  std::uint64_t generation = 0;
  FunctionHandle function;
  recording::Dim3 grid;
  recording::Dim3 block;
  ShapeEntry* entry = nullptr;
};
constexpr std::size_t kCacheSize = 64;  // direct-mapped
thread_local std::array<CachedShape, kCacheSize> cache;

std::size_t CacheSlot(const LaunchSeen& launch) {
  std::size_t mix = launch.function.value() >> 4;
  for (const std::uint32_t part : {launch.grid.x, launch.grid.y, launch.block.x}) {
    mix = mix * 31 + part;
  }
  return mix % kCacheSize;
}

}  // namespace

std::string_view ToString(Skip reason) {
  switch (reason) {
    case Skip::kSampling:
      return recording::kSkippedBySampling;
    case Skip::kNeverIdle:
      return recording::kSkippedNeverIdle;
    case Skip::kGateBusy:
      return recording::kSkippedGateBusy;
    case Skip::kExcluded:
      return recording::kSkippedExcluded;
    case Skip::kWaits:
      return recording::kSkippedWaits;
    case Skip::kWatched:
      return recording::kSkippedWatched;
    case Skip::kCapturing:
      return recording::kSkippedCapturing;
    case Skip::kGraphReplay:
      return recording::kSkippedInGraph;
    case Skip::kFailed:
      return recording::kSkippedFailed;
  }
  return recording::kSkippedFailed;
}

ShapeEntry::ShapeEntry(recording::LaunchShape shape, std::shared_ptr<KernelTrust> trust,
                       bool excluded)
    : shape_(std::move(shape)), trust_(std::move(trust)), excluded_(excluded) {}

ShapeEntry::ShapeEntry(recording::LaunchShape shape)
    : shape_(std::move(shape)),
      trust_(std::make_shared<KernelTrust>()),
      excluded_(IsCollective(shape_.kernel)) {}

selection::ShapeHistory ShapeEntry::History() const {
  return {.earlier_launches = launches_.load(std::memory_order_relaxed),
          .windows = std::max(windows_.load(std::memory_order_relaxed),
                              counted_.load(std::memory_order_relaxed)),
          .missed = missed_in_a_row_.load(std::memory_order_relaxed),
          .ended_late = ended_late_.load(std::memory_order_relaxed)};
}

selection::ShapeHistory ShapeEntry::NextLaunch() {
  selection::ShapeHistory history = History();
  history.earlier_launches = launches_.fetch_add(1, std::memory_order_relaxed);
  return history;
}

void ShapeEntry::AddLaunches(Launches launches, Skip reason) {
  launches_ += launches.count();
  skipped_[static_cast<std::size_t>(reason)] += launches.count();
}

void ShapeEntry::Opened() {
  windows_++;
  missed_in_a_row_ = 0;
}

void ShapeEntry::GaveUp() {
  windows_--;
  Missed();
}

void ShapeEntry::Counted(Launches launches) { counted_ += launches.count(); }

recording::Tally ShapeEntry::Tally() const {
  recording::Tally tally{.shape = shape_,
                         .launches = Launches(launches_.load()),
                         .counted = Launches(counted_.load()),
                         .skipped = {}};
  for (std::size_t i = 0; i < kSkipReasons; ++i) {
    const std::uint64_t launches = skipped_[i].load();
    if (launches == 0) continue;
    tally.skipped.push_back({std::string(ToString(static_cast<Skip>(i))), Launches(launches)});
  }
  return tally;
}

std::size_t LaunchBook::ShapeHash::operator()(const recording::LaunchShape& shape) const {
  std::size_t mix = std::hash<std::string>{}(shape.kernel);
  for (const recording::Dim3& dim : {shape.grid, shape.block}) {
    for (const std::uint32_t part : {dim.x, dim.y, dim.z}) mix = mix * 1099511628211U + part;
  }
  return mix;
}

std::uint64_t LaunchBook::NextGeneration() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

ShapeEntry& LaunchBook::Find(const LaunchSeen& launch) {
  CachedShape& cached = cache[CacheSlot(launch)];
  const std::uint64_t generation = generation_.load(std::memory_order_acquire);
  if (cached.generation == generation && cached.function == launch.function &&
      cached.grid == launch.grid && cached.block == launch.block) {
    return *cached.entry;
  }
  ShapeEntry& entry = FindByName({std::string(launch.kernel), launch.grid, launch.block});
  cached = {generation, launch.function, launch.grid, launch.block, &entry};
  return entry;
}

bool LaunchBook::IsExcluded(const std::string& kernel) const {
  if (IsCollective(kernel)) return true;
  if (excluded_.empty()) return false;
  const std::string readable = Demangle(kernel);
  return std::any_of(
      excluded_.begin(), excluded_.end(),
      [&](const selection::KernelPattern& pattern) { return pattern.Matches(readable); });
}

ShapeEntry& LaunchBook::FindByName(recording::LaunchShape shape) {
  const std::lock_guard lock(mutex_);
  auto [found, is_new] = entries_.try_emplace(shape, nullptr);
  if (is_new) {
    auto [kernel, is_new_kernel] = kernels_.try_emplace(shape.kernel);
    if (is_new_kernel) {
      kernel->second = {std::make_shared<KernelTrust>(), IsExcluded(shape.kernel)};
    }
    found->second = std::make_unique<ShapeEntry>(std::move(shape), kernel->second.trust,
                                                 kernel->second.excluded);
    in_order_.push_back(found->second.get());
  }
  return *found->second;
}

void LaunchBook::Suspect(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  const auto found = kernels_.find(kernel);
  if (found == kernels_.end()) return;
  KernelTrust& trust = *found->second.trust;
  if (trust.get() == Trust::kFree) trust.Set(Trust::kSuspect);
}

std::vector<const ShapeEntry*> LaunchBook::Entries() const {
  const std::lock_guard lock(mutex_);
  return in_order_;
}

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// The maps behind the book, with a small per-thread cache in front of them.
#include "injection/agent/shapes/launch_book.h"

#include <algorithm>
#include <array>
#include <utility>

#include "injection/agent/ranges/range_sets.h"

namespace coalcheck::agent {
namespace {

// A shape found lately by this thread.
struct CachedShape {
  std::uint64_t generation = 0;
  FunctionHandle function;
  recording::Dim3 grid;
  recording::Dim3 block;
  RangeSetId ranges;
  ShapeEntry* entry = nullptr;
};
constexpr std::size_t kCacheSize = 64;  // direct-mapped
thread_local std::array<CachedShape, kCacheSize> cache;

std::size_t CacheSlot(const LaunchSeen& launch) {
  const std::size_t shape = (launch.grid.x * 31U + launch.grid.y) * 31U + launch.block.x;
  return ((launch.function.value() >> 4) + shape * 31U + launch.ranges.value()) % kCacheSize;
}

}  // namespace

std::size_t LaunchBook::ShapeHash::operator()(const recording::LaunchShape& shape) const {
  std::size_t mix = std::hash<std::string>{}(shape.kernel);
  for (const recording::Dim3& dim : {shape.grid, shape.block}) {
    for (const std::uint32_t part : {dim.x, dim.y, dim.z}) mix = mix * 1099511628211U + part;
  }
  return mix * 1099511628211U + shape.ranges.value();
}

LaunchBook::LaunchBook(options::Filters filters, Describe describe)
    : launch_filter_(filters.launches),
      describe_(std::move(describe)),
      filters_(std::move(filters)) {}

ShapeEntry& LaunchBook::Find(const LaunchSeen& launch) {
  CachedShape& cached = cache[CacheSlot(launch)];
  const std::uint64_t generation = generation_.get();
  if (cached.generation == generation && cached.function == launch.function &&
      cached.grid == launch.grid && cached.block == launch.block &&
      cached.ranges == launch.ranges) {
    return *cached.entry;
  }
  ShapeEntry& entry =
      FindByName({std::string(launch.kernel), launch.grid, launch.block, launch.ranges});
  cached = {generation, launch.function, launch.grid, launch.block, launch.ranges, &entry};
  return entry;
}

std::shared_ptr<KernelState> LaunchBook::KernelOf(const std::string& kernel) {
  std::shared_ptr<KernelState>& state = kernels_[kernel];
  if (state == nullptr) {
    state = std::make_shared<KernelState>();
    const LaunchFilters::KernelRuling ruling = filters_.RuleOnKernel(kernel);
    state->excluded = ruling.excluded;
    state->selected = ruling.selected;
    state->undecided = !ruling.selected || (filters_.ExcludesKernels() && !ruling.excluded);
  }
  return state;
}

std::optional<Skip> LaunchBook::LeavesOut(RangeSetId ranges) {
  const auto [found, is_new] = left_out_ranges_.try_emplace(ranges);
  if (is_new) {
    const std::vector<OpenRange> open =
        describe_ && ranges != RangeSetId(0) ? describe_(ranges) : std::vector<OpenRange>();
    found->second = filters_.LeavesOut(open);
    if (ranges != RangeSetId(0)) {
      new_ranges_.push_back({ranges, open});
      has_new_ranges_ = true;
    }
  }
  return found->second;
}

std::unique_ptr<ShapeEntry> LaunchBook::MakeEntry(const recording::LaunchShape& shape,
                                                  std::optional<Skip> left_out) {
  std::shared_ptr<KernelState> kernel = KernelOf(shape.kernel);
  recording::LaunchShape anywhere = shape;
  anywhere.ranges = RangeSetId(0);
  std::shared_ptr<ShapeState>& state = states_[anywhere];
  if (state == nullptr) state = std::make_shared<ShapeState>();
  return std::make_unique<ShapeEntry>(shape, std::move(kernel), state, left_out);
}

// No launch has a grid of 0 blocks: such a shape is no other's.
recording::LaunchShape LaunchBook::WithoutDetails(recording::LaunchShape shape, bool selected) {
  shape.grid = {0, 0, 0};
  shape.block = {0, 0, 0};
  if (shape.ranges != RangeSetId(0)) shape.ranges = selected ? kOtherSets : kOtherSetsLeftOut;
  return shape;
}

ShapeEntry& LaunchBook::FindByName(recording::LaunchShape shape) {
  const MutexLock lock(mutex_);
  if (const auto found = entries_.find(shape); found != entries_.end()) return *found->second;
  const std::optional<Skip> left_out = LeavesOut(shape.ranges);
  const bool folds = in_order_.size() - folded_.size() >= kMostShapes;
  if (folds) {
    shape = WithoutDetails(std::move(shape), !left_out);
    LeavesOut(shape.ranges);  // makes the set known, whose launches are as selected as this one
  }
  auto [found, is_new] = entries_.try_emplace(std::move(shape), nullptr);
  if (is_new) {
    found->second = MakeEntry(found->first, left_out);
    in_order_.push_back(found->second.get());
    if (folds) folded_.push_back(found->second.get());
  }
  return *found->second;
}

Launches LaunchBook::Folded() const {
  const MutexLock lock(mutex_);
  Launches sum;
  for (const ShapeEntry* entry : folded_) sum += entry->Tally().launches;
  return sum;
}

std::vector<recording::RangeSet> LaunchBook::TakeNewRanges() {
  const MutexLock lock(mutex_);
  has_new_ranges_ = false;
  return std::exchange(new_ranges_, {});
}

std::vector<recording::Unmatched> LaunchBook::Unmatched() const {
  const MutexLock lock(mutex_);
  return filters_.Unmatched();
}

void LaunchBook::Decide(ShapeEntry& entry, const std::vector<std::string>& inlined) {
  const MutexLock lock(mutex_);
  KernelState& kernel = entry.kernel();
  if (!kernel.undecided.exchange(false)) return;
  const LaunchFilters::KernelRuling ruling = filters_.RuleOnInlined(inlined);
  if (ruling.excluded) kernel.excluded = true;
  if (ruling.selected) kernel.selected = true;
}

void LaunchBook::Distrust(const std::string& kernel, Trust trust) {
  const MutexLock lock(mutex_);
  const auto found = kernels_.find(kernel);
  if (found == kernels_.end()) return;
  KernelTrust& known = found->second->trust;
  if (known.get() == Trust::kFree || trust == Trust::kUnpatchable) known.Set(trust);
}

std::vector<const ShapeEntry*> LaunchBook::Entries() const {
  const MutexLock lock(mutex_);
  return in_order_;
}

std::vector<recording::Uncounted> LaunchBook::TakeUncounted(bool is_end) {
  const MutexLock lock(mutex_);
  std::vector<recording::Uncounted> all;
  for (const auto& [name, kernel] : kernels_) {
    recording::Uncounted one = kernel->uncounted.Sets();
    const std::uint64_t launches = one.all().count();
    if (launches == kernel->uncounted_written) continue;
    if (!is_end && launches < 2 * kernel->uncounted_written) continue;
    kernel->uncounted_written = launches;
    one.kernel = name;
    all.push_back(std::move(one));
  }
  std::ranges::sort(all, {}, &recording::Uncounted::kernel);
  return all;
}

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// Every launch shape that was seen, how often, and what became of its launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "injection/agent/base/device.h"
#include "injection/agent/base/generation.h"
#include "injection/agent/shapes/launch_filters.h"
#include "injection/agent/shapes/shape_entry.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

// What a launch callback knows of a launch.
struct LaunchSeen {
  FunctionHandle function;
  std::string_view kernel;  // mangled
  recording::Dim3 grid;
  recording::Dim3 block;
  RangeSetId ranges = {};            // that it is made in
  const LaunchCall* call = nullptr;  // none: nothing more is known of it
};

// Finds or makes the entry of a launch. A thread finds its recent shapes again without a lock.
// Bounded: what is launched beyond kMostShapes has one entry for each kernel, whatever its grid and
// block, and whatever ranges it is made in, but for whether the filters want those.
class LaunchBook {
 public:
  static constexpr std::size_t kMostShapes = 32'768;

  // What a RangeSetId stands for.
  using Describe = std::function<std::vector<OpenRange>(RangeSetId)>;
  explicit LaunchBook(options::Filters filters = {}, Describe describe = {});

  ShapeEntry& Find(const LaunchSeen& launch);
  // For a kernel inside a graph, whose function handle is not known.
  ShapeEntry& FindByName(recording::LaunchShape shape);
  // Whether --launch-skip and --launch-count let this launch through; it takes its turn.
  bool Admits(ShapeEntry& entry) { return launch_filter_.Admits(turns_, entry.kernel().turns); }
  // The kernel's name did not fit --kernel: these functions were inlined into it.
  void Decide(ShapeEntry& entry, const std::vector<std::string>& inlined);
  // Function handles may be given to other functions from here on.
  void DiscardHandles() { generation_.Renew(); }
  // A module was loaded that defines the kernel anew, and deserves no more trust than this.
  void Distrust(const std::string& kernel, Trust trust);
  // Launches whose shape is not known any more.
  Launches Folded() const;
  // In the order in which the shapes were first seen.
  std::vector<const ShapeEntry*> Entries() const;
  // What launches outside windows were called with, by kernel: of kernels that had any since the
  // last call, and before the end of those alone whose launches are twice as many now.
  std::vector<recording::Uncounted> TakeUncounted(bool is_end);
  bool has_new_ranges() const { return has_new_ranges_.load(std::memory_order_relaxed); }
  // The sets of ranges that entries were made for since the last call.
  std::vector<recording::RangeSet> TakeNewRanges();
  std::vector<recording::Unmatched> Unmatched() const;

 private:
  struct ShapeHash {
    std::size_t operator()(const recording::LaunchShape& shape) const;
  };
  template <typename Value>
  using ByShape = std::unordered_map<recording::LaunchShape, Value, ShapeHash>;

  std::unique_ptr<ShapeEntry> MakeEntry(const recording::LaunchShape& shape,
                                        std::optional<Skip> left_out) COALCHECK_REQUIRES(mutex_);
  static recording::LaunchShape WithoutDetails(recording::LaunchShape shape, bool selected);
  std::shared_ptr<KernelState> KernelOf(const std::string& kernel) COALCHECK_REQUIRES(mutex_);
  std::optional<Skip> LeavesOut(RangeSetId ranges) COALCHECK_REQUIRES(mutex_);
  const selection::LaunchFilter launch_filter_;
  const Describe describe_;
  mutable Mutex mutex_;
  LaunchFilters filters_ COALCHECK_GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::shared_ptr<KernelState>> kernels_
      COALCHECK_GUARDED_BY(mutex_);
  ByShape<std::shared_ptr<ShapeState>> states_ COALCHECK_GUARDED_BY(mutex_);  // without ranges
  ByShape<std::unique_ptr<ShapeEntry>> entries_ COALCHECK_GUARDED_BY(mutex_);
  std::vector<const ShapeEntry*> folded_ COALCHECK_GUARDED_BY(mutex_);  // the last of the entries
  std::map<RangeSetId, std::optional<Skip>> left_out_ranges_ COALCHECK_GUARDED_BY(mutex_);
  std::vector<recording::RangeSet> new_ranges_ COALCHECK_GUARDED_BY(mutex_);
  std::atomic<bool> has_new_ranges_{false};
  std::vector<const ShapeEntry*> in_order_ COALCHECK_GUARDED_BY(mutex_);
  selection::LaunchTurns turns_;
  Generation generation_;
};

}  // namespace coalcheck::agent

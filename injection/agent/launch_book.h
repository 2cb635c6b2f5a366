// SPDX-License-Identifier: Apache-2.0
//
// Every launch shape that was seen, how often, and what became of its launches.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "injection/agent/device.h"
#include "libcoalcheck/recording/records.h"
#include "libcoalcheck/selection/sampling.h"

namespace coalcheck::agent {

// Why a launch was not counted; its words stand in records.h.
enum class Skip { kSampling, kNeverIdle, kGateBusy, kExcluded, kCapturing, kGraphReplay, kFailed };
inline constexpr std::size_t kSkipReasons = 7;
std::string_view ToString(Skip reason);

// One shape's running tally. Lives as long as the book; any thread may count in it.
class ShapeEntry {
 public:
  explicit ShapeEntry(recording::LaunchShape shape);

  const recording::LaunchShape& shape() const { return shape_; }
  // Kernels that wait for their peers on other devices are never held in a window.
  bool excluded() const { return excluded_; }

  // Counts one more launch and says what is known of the earlier ones.
  selection::ShapeHistory NextLaunch();
  selection::ShapeHistory History() const;
  void LaunchedInGraph() { launches_++; }
  void AddLaunches(Launches launches, Skip reason);
  // A window was wanted and could not be had.
  void Missed() { missed_in_a_row_++; }
  void Opened();
  // The launch that the window was opened for failed.
  void GaveUp();
  void Counted(Launches launches);
  Launches counted() const { return Launches(counted_.load(std::memory_order_relaxed)); }
  void EndedLate() { ended_late_.store(true, std::memory_order_relaxed); }
  void Skipped(Skip reason, Launches launches = Launches(1)) {
    skipped_[static_cast<std::size_t>(reason)] += launches.count();
  }

  recording::Tally Tally() const;

 private:
  const recording::LaunchShape shape_;
  const bool excluded_;
  std::atomic<std::uint64_t> launches_{0};
  std::atomic<std::uint64_t> counted_{0};
  std::atomic<std::uint64_t> windows_{0};
  std::atomic<std::uint64_t> missed_in_a_row_{0};
  std::atomic<bool> ended_late_{false};
  std::array<std::atomic<std::uint64_t>, kSkipReasons> skipped_{};
};

// What a launch callback knows of a launch.
struct LaunchSeen {
  FunctionHandle function;
  std::string_view kernel;  // mangled
  recording::Dim3 grid;
  recording::Dim3 block;
};

// Finds or makes the entry of a launch. A thread finds its recent shapes again without a lock.
class LaunchBook {
 public:
  ShapeEntry& Find(const LaunchSeen& launch);
  // Function handles may be given to other functions from here on.
  void ForgetHandles() { generation_.store(NextGeneration(), std::memory_order_release); }
  // In the order in which the shapes were first seen.
  std::vector<const ShapeEntry*> Entries() const;

 private:
  struct ShapeHash {
    std::size_t operator()(const recording::LaunchShape& shape) const;
  };
  ShapeEntry& FindSlowly(const LaunchSeen& launch);
  // Never the same twice in a process, so that no thread finds a shape of a book that is gone.
  static std::uint64_t NextGeneration();

  mutable std::mutex mutex_;
  std::unordered_map<recording::LaunchShape, std::unique_ptr<ShapeEntry>, ShapeHash> entries_;
  std::vector<const ShapeEntry*> in_order_;
  std::atomic<std::uint64_t> generation_{NextGeneration()};
};

}  // namespace coalcheck::agent

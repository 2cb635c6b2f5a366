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
#include <utility>
#include <vector>

#include "injection/agent/device.h"
#include "libcoalcheck/recording/records.h"
#include "libcoalcheck/selection/kernel_pattern.h"
#include "libcoalcheck/selection/sampling.h"

namespace coalcheck::agent {

// Why a launch was not counted; its words stand in records.h.
enum class Skip {
  kSampling,
  kNeverIdle,
  kGateBusy,
  kExcluded,
  kWaits,
  kWatched,
  kCapturing,
  kGraphReplay,
  kFailed
};
inline constexpr std::size_t kSkipReasons = 9;
std::string_view ToString(Skip reason);

// What is known of a kernel, whatever the shape of its launches: whether it can be held in a window
// without harm.
enum class Trust {
  kUnknown,     // nobody has looked yet
  kFree,        // its code has no sign of waiting for other work
  kSuspect,     // it has: it must be watched first
  kEndsAlone,   // it was watched, and ended each time while nothing else was launched
  kNeedsOthers  // it was watched, and did not
};

// Any thread.
class KernelTrust {
 public:
  Trust get() const { return trust_.load(std::memory_order_relaxed); }
  void Set(Trust trust) { trust_.store(trust, std::memory_order_relaxed); }
  // A watched launch came to its end. One is not enough: what the kernel waits for can have been
  // there already, as in a warm-up.
  void EndedWhileWatched() {
    if (++ended_watches_ >= kWatches && get() == Trust::kSuspect) Set(Trust::kEndsAlone);
  }
  bool MayBeHeld() const { return get() == Trust::kFree || get() == Trust::kEndsAlone; }
  // A graph with it was watched and did not end; which of its kernels waited is not known.
  void OutlivedInGraph() {
    if (++outlived_in_graphs_ >= kWatches && get() == Trust::kSuspect) Set(Trust::kNeedsOthers);
  }

 private:
  static constexpr int kWatches = 2;
  std::atomic<Trust> trust_{Trust::kUnknown};
  std::atomic<int> ended_watches_{0};
  std::atomic<int> outlived_in_graphs_{0};
};

// One shape's running tally. Lives as long as the book; any thread may count in it.
class ShapeEntry {
 public:
  ShapeEntry(recording::LaunchShape shape, std::shared_ptr<KernelTrust> trust, bool excluded);
  explicit ShapeEntry(recording::LaunchShape shape);

  const recording::LaunchShape& shape() const { return shape_; }
  // Never held in a window: it waits for its peers on other devices, or the user said so.
  bool excluded() const { return excluded_; }
  KernelTrust& trust() const { return *trust_; }

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
  const std::shared_ptr<KernelTrust> trust_;  // shared by the shapes of one kernel
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
  // `excluded`: kernels that are never held in a window.
  explicit LaunchBook(std::vector<selection::KernelPattern> excluded = {})
      : excluded_(std::move(excluded)) {}

  ShapeEntry& Find(const LaunchSeen& launch);
  // For a kernel inside a graph, whose function handle is not known.
  ShapeEntry& FindByName(recording::LaunchShape shape);
  // Function handles may be given to other functions from here on.
  void ForgetHandles() { generation_.store(NextGeneration(), std::memory_order_release); }
  // A module was loaded that defines the kernel anew, with signs of waiting.
  void Suspect(const std::string& kernel);
  // In the order in which the shapes were first seen.
  std::vector<const ShapeEntry*> Entries() const;

 private:
  struct ShapeHash {
    std::size_t operator()(const recording::LaunchShape& shape) const;
  };
  struct Kernel {
    std::shared_ptr<KernelTrust> trust;
    bool excluded = false;
  };
  bool IsExcluded(const std::string& kernel) const;
  // Never the same twice in a process, so that no thread finds a shape of a book that is gone.
  static std::uint64_t NextGeneration();

  const std::vector<selection::KernelPattern> excluded_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Kernel> kernels_;
  std::unordered_map<recording::LaunchShape, std::unique_ptr<ShapeEntry>, ShapeHash> entries_;
  std::vector<const ShapeEntry*> in_order_;
  std::atomic<std::uint64_t> generation_{NextGeneration()};
};

}  // namespace coalcheck::agent

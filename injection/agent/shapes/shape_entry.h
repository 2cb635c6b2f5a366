// SPDX-License-Identifier: Apache-2.0
//
// What became of the launches of one shape, and what is known of its kernel.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "injection/agent/shapes/argument_table.h"
#include "injection/agent/shapes/kernel_time.h"
#include "libcoalcheck/recording/records.h"
#include "libcoalcheck/recording/skip_reasons.h"
#include "libcoalcheck/selection/launch_filter.h"
#include "libcoalcheck/selection/sampling.h"
#include "libcoalcheck/selection/window_cost.h"

namespace coalcheck::agent {

using recording::Skip;
// How many reasons the agent has.
inline constexpr auto kAgentSkips = static_cast<std::size_t>(Skip::kFailed) + 1;

// What is known of a kernel, whatever the shape of its launches: whether it can be held in a window
// without harm.
enum class Trust {
  kUnknown,      // nobody has looked yet
  kFree,         // its code has no sign of waiting for other work
  kSuspect,      // it has: it must be watched first
  kEndsAlone,    // it was watched, and ended each time while nothing else was launched
  kNeedsOthers,  // it was watched, and did not
  kUnpatchable   // its lanes wait for others in a way that counting may bring to a halt
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

// What all shapes of one kernel share. Any thread.
struct KernelState {
  KernelTrust trust;
  std::atomic<bool> excluded{false};  // never held in a window
  // --kernel fits it, or what was inlined into it. What was inlined is asked only where the names
  // leave something to decide.
  std::atomic<bool> selected{true};
  std::atomic<bool> undecided{false};
  selection::LaunchTurns turns;
  std::atomic<std::uint64_t> windows{0};  // opened for any of its shapes
  std::atomic<std::uint64_t> counted{0};  // launches, also in windows that graphs opened
  selection::KernelCost cost;
  std::atomic<bool> cost_was_told{false};
  KernelTime time;
  // It outlived its window: no shape of it is held again.
  std::atomic<bool> ended_late{false};
  // Two windows over one launch each of the same shape came to different counts.
  std::atomic<bool> counts_differ{false};
  ArgumentTable uncounted;              // what launches outside windows were called with
  std::uint64_t uncounted_written = 0;  // how many of them the recording has; LaunchBook's
};

// How far sampling is with one shape. Any thread.
struct ShapeProgress {
  std::atomic<std::uint64_t> launches{0};  // that were not left out
  std::atomic<std::uint64_t> windows{0};
  std::atomic<std::uint64_t> counted{0};
  std::atomic<std::uint64_t> last_window_launch{0};  // which of `launches`, from 1; 0: none
};

// What entries of one shape share, in whichever ranges they were launched. Any thread.
struct ShapeState {
  ShapeProgress progress;
  std::atomic<std::uint64_t> missed_in_a_row{0};
  std::atomic<std::uint64_t> last_counts{0};  // a digest of one launch's counts; 0: none yet
};

// The running tally of one shape in one set of ranges. Lives as long as the book; any thread may
// count in it.
class ShapeEntry {
 public:
  ShapeEntry(recording::LaunchShape shape, std::shared_ptr<KernelState> kernel,
             std::shared_ptr<ShapeState> state, std::optional<Skip> left_out);
  // On its own, not part of a book.
  explicit ShapeEntry(recording::LaunchShape shape);

  const recording::LaunchShape& shape() const { return shape_; }
  // Of kernel, grid and block: the same in all processes.
  std::uint64_t hash() const { return hash_; }
  // Never held in a window: it waits for its peers on other devices, or the user said so.
  bool excluded() const { return kernel_->excluded.load(std::memory_order_relaxed); }
  // The user's filters leave it out, for this reason.
  std::optional<Skip> left_out() const {
    if (!kernel_->selected.load(std::memory_order_relaxed)) return Skip::kNotSelected;
    return left_out_;
  }
  KernelState& kernel() const { return *kernel_; }
  // Of one launch.
  std::uint64_t threads() const;
  KernelTrust& trust() const { return kernel_->trust; }

  // Counts one more launch and says what is known of the earlier ones: under `auto` those in the
  // same ranges, else those of the same shape anywhere.
  // One that is left out is no part of the history.
  selection::ShapeHistory NextLaunch(selection::Sampling::Kind sampling, bool left_out = false);
  selection::ShapeHistory History(selection::Sampling::Kind sampling) const;
  void LaunchedInGraph() { launches_++; }
  void AddLaunches(Launches launches, Skip reason);
  // A window was wanted and could not be had.
  void Missed() { state_->missed_in_a_row++; }
  void Opened();
  // The launch that the window was opened for failed.
  void WindowDiscarded();
  void Counted(Launches launches);
  // One launch came to counts with this digest.
  void CameTo(std::uint64_t digest);
  Launches counted() const { return Launches(here_.counted.load(std::memory_order_relaxed)); }
  void EndedLate() { kernel_->ended_late.store(true, std::memory_order_relaxed); }
  void Skipped(Skip reason, Launches launches = Launches(1)) {
    skipped_[static_cast<std::size_t>(reason)] += launches.count();
  }

  recording::Tally Tally() const;

 private:
  const recording::LaunchShape shape_;
  const std::uint64_t hash_;
  const std::shared_ptr<KernelState> kernel_;
  const std::shared_ptr<ShapeState> state_;
  const std::optional<Skip> left_out_;
  ShapeProgress here_;
  std::atomic<std::uint64_t> launches_{0};
  std::array<std::atomic<std::uint64_t>, kAgentSkips> skipped_{};
};

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// What the launches of one kernel that were not counted were called with: each set of shape and
// arguments once, with the number of its launches.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "injection/agent/base/device.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

// The bytes that all tables of an agent may keep together.
class ArgumentRoom {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

  // False: there is not so much left.
  bool Take(std::uint64_t bytes) {
    if (taken_.load(std::memory_order_relaxed) + bytes > kMostBytes) return false;
    taken_.fetch_add(bytes, std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<std::uint64_t> taken_{0};
};

// One launch, while its call lasts. The layout has to outlive the table.
struct LaunchMade {
  std::uint64_t shape_hash = 0;
  recording::Dim3 grid;
  recording::Dim3 block;
  const CalledWith& with;
  const ParameterLayout& layout;
};

// Any thread. A set that is known is found without a lock and without an allocation:
//
//   launch -> hash -> slot -> set -> its counter     a slot is written once, a set never changes
//                       |
//                       +-> empty: the set is made under the lock, and published in the slot
class ArgumentTable {
 public:
  static constexpr std::size_t kMostSets = recording::kMostUncountedSets;

  void Add(const LaunchMade& launch, ArgumentRoom& room);
  // Launches of which nothing is kept.
  void AddOthers(Launches launches) {
    others_.fetch_add(launches.count(), std::memory_order_relaxed);
  }
  // The same as Add() for `launches` whose block of parameters was read elsewhere.
  void AddRead(const recording::Dim3& grid, const recording::Dim3& block,
               const recording::LaunchArguments& arguments, Launches launches, ArgumentRoom& room);

  // In the order in which they were first seen; empty where nothing was launched.
  recording::Uncounted Sets() const;

 private:
  struct Set {
    std::uint64_t hash = 0;
    const ParameterLayout* layout = nullptr;  // null: its parameters were read elsewhere
    recording::UncountedSet what;             // its `arguments.launches` is not used
    std::atomic<std::uint64_t> launches{0};
  };
  // Half of them stay empty, so that a search ends.
  static constexpr std::size_t kSlots = 2 * kMostSets;
  using Slots = std::array<std::atomic<Set*>, kSlots>;

  static bool IsSame(const Set& set, std::uint64_t hash, const LaunchMade& launch);
  Set* Find(std::uint64_t hash, const LaunchMade& launch) const;
  void AddNew(std::uint64_t hash, const LaunchMade& launch, ArgumentRoom& room);
  Set* Keep(std::unique_ptr<Set> set, ArgumentRoom& room) COALCHECK_REQUIRES(mutex_);

  std::atomic<Slots*> slots_{nullptr};
  std::atomic<bool> is_full_{false};
  std::atomic<std::uint64_t> others_{0};
  mutable Mutex mutex_;
  std::unique_ptr<Slots> own_slots_ COALCHECK_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Set>> sets_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent

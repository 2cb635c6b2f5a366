// SPDX-License-Identifier: Apache-2.0
//
// Source text that the program hands over, until the recording takes it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::agent {

// Any thread. Bounded as a recording's sources are.
class SourceBook {
 public:
  // Passed over: what came before, what has no name, and what there is no room for.
  void Add(recording::Source source);
  // Those that came since the last call.
  std::vector<recording::Source> Take();
  // How many there was no room for.
  std::uint64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }
  // This is a forked child, which has no recording: nothing is kept from here on.
  void Forked() { forked_ = true; }

 private:
  std::atomic<bool> forked_{false};
  std::atomic<std::uint64_t> left_out_{0};
  Mutex mutex_;
  std::set<CubinId> known_ COALCHECK_GUARDED_BY(mutex_);  // by the hash of all of it
  std::size_t held_ COALCHECK_GUARDED_BY(mutex_) = 0;     // bytes, of those taken, too
  std::vector<recording::Source> waiting_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent

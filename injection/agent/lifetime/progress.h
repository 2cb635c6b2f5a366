// SPDX-License-Identifier: Apache-2.0
//
// What has to be done now and then: says how far the agent is, and names a kernel that has kept a
// window open for long, for the program may then be waiting for the agent.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "injection/agent/counting/parts.h"
#include "libcoalcheck/base/mutex.h"

namespace coalcheck::agent {

// Tick's thread, but for Write.
class Progress {
 public:
  explicit Progress(Parts& parts) : parts_(parts) {}

  // Where it has changed. Also called by the thread that ends the process.
  void Write();
  void WarnOfLongWindows();
  // Whether nothing new has been worth a window for a while.
  bool IsQuiet();

 private:
  std::vector<OpenWindow::Waiting> OpenWindows() const;
  // In milliseconds, of those over one launch.
  std::uint64_t LongestWindow() const;

  Parts& parts_;
  Mutex mutex_;
  recording::Progress last_written_ COALCHECK_GUARDED_BY(mutex_);
  std::set<WindowId> warned_of_;
  std::uint64_t windows_when_quiet_began_ = 0;
  Clock::TimePoint quiet_since_{};
};

}  // namespace coalcheck::agent

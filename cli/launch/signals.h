// SPDX-License-Identifier: Apache-2.0
//
// Signals while a launched program runs: the launcher takes them one by one instead of being
// interrupted, and the program starts with what the launcher was started with.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

namespace coalcheck::cli {

// One at a time in a process, in its only thread. From its making on, every signal that can be is
// held back until WaitFor() gives it out; what was before comes back with it going. SIGPIPE stays
// ignored: a reader of the report who goes away must not cost the program's exit code.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  // The next signal; empty when none came in time.
  std::optional<siginfo_t> WaitFor(std::chrono::milliseconds duration) const;
  // As before, also for the program between fork and exec: async-signal-safe.
  void Restore() const;

 private:
  sigset_t held_ = {};
  sigset_t mask_before_ = {};
  struct sigaction child_before_ = {};
  struct sigaction pipe_before_ = {};
};

// Ends this process by `signal`, without a core file: that would be of the wrong program. Returns
// when the signal does not end a process.
void EndBySignal(int signal);

}  // namespace coalcheck::cli

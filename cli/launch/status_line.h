// SPDX-License-Identifier: Apache-2.0
//
// The one line that says how far a long run has come, on a terminal only.
#pragma once

#include <chrono>
#include <string>

#include "cli/launch/session_folder.h"
#include "libcoalcheck/recording/progress.h"

namespace coalcheck::cli {

// "coalcheck: 1 234 launches seen, 12 windows, 1 kernel without line information".
std::string StatusText(const recording::Progress& progress);

class StatusLine {
 public:
  using Clock = std::chrono::steady_clock;

  // Shows nothing unless `wanted` and stderr is a terminal.
  StatusLine(const SessionFolder& session, bool wanted);
  ~StatusLine() { Erase(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Shows the line anew if it is time.
  void Tick();
  void Erase();

 private:
  const SessionFolder& session_;
  const bool enabled_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(2);
  bool shown_ = false;
};

}  // namespace coalcheck::cli

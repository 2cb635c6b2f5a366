// SPDX-License-Identifier: Apache-2.0
//
// Stands between the shell and a launched program until the program and what it left behind have
// ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <set>
#include <vector>

#include "cli/launch/session_folder.h"
#include "cli/launch/signals.h"
#include "cli/launch/status_line.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::cli {

struct Watched {
  recording::ProcessEnd end;  // of the program itself
  std::vector<findings::Launch::Outlived> outlived;
};

// Passes signals on, stops when the program stops, reaps every process that comes to it, and notes
// in their recordings how they ended. Orphans of the program come to it because the launcher is
// their subreaper.
class Watch {
 public:
  // To be made before the program is started: children that this process has already are not the
  // program's. Makes this process the subreaper.
  Watch(const HeldSignals& signals, const SessionFolder& session, StatusLine& status);

  // Waits for `program`, and then no longer than `deadline` for processes of it that still record.
  Watched Run(pid_t program, std::chrono::milliseconds deadline);

 private:
  using Clock = std::chrono::steady_clock;

  void ReapAll();
  void Reaped(pid_t pid, int status);
  void StopWithProgram(int signal);
  void Handle(const siginfo_t& signal);
  void PassOn(const siginfo_t& signal) const;
  bool IsFromProgram(const siginfo_t& signal) const;
  bool AnyStillRecords() const;
  void WaitForRecorders(std::chrono::milliseconds deadline);
  std::vector<findings::Launch::Outlived> Outlived() const;

  const HeldSignals& signals_;
  const SessionFolder& session_;
  StatusLine& status_;
  std::set<pid_t> strangers_;
  pid_t program_ = -1;
  bool ended_ = false;
  recording::ProcessEnd end_;
};

}  // namespace coalcheck::cli

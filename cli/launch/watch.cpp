// SPDX-License-Identifier: Apache-2.0
//
// One loop: reap, look at the time, take the next signal.
#include "cli/launch/watch.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "cli/launch/processes.h"

namespace coalcheck::cli {
namespace {

using recording::EndKind;
using std::chrono::milliseconds;

constexpr milliseconds kTick{500};
constexpr milliseconds kPoll{20};  // while waiting for processes that are not our children

recording::ProcessEnd ToEnd(pid_t pid, int status) {
  const auto id = static_cast<std::uint64_t>(pid);
  if (WIFSIGNALED(status)) {
    return {id, EndKind::kSignal, static_cast<std::uint32_t>(WTERMSIG(status))};
  }
  return {id, EndKind::kExit, static_cast<std::uint32_t>(WEXITSTATUS(status))};
}

bool IsStopped(pid_t pid) {
  const std::optional<Process> process = ReadProcess(pid);
  return process && process->state == 'T';
}

// Whether a shell waits for this process to stop too. Whoever stops a program with kill -STOP
// continues it alone, and does not know of its launcher.
bool IsJobControl(int signal) {
  const int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) return false;
  const bool in_foreground = tcgetpgrp(terminal) == getpgrp();
  close(terminal);
  return in_foreground || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

Watch::Watch(const HeldSignals& signals, const SessionFolder& session, StatusLine& status)
    : signals_(signals), session_(session), status_(status) {
  for (const Process& process : LivingDescendants(getpid())) strangers_.insert(process.pid);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Watched Watch::Run(pid_t program, milliseconds deadline) {
  program_ = program;
  ReapAll();
  while (!ended_) {
    status_.Tick();
    if (const std::optional<siginfo_t> signal = signals_.WaitFor(kTick)) Handle(*signal);
    ReapAll();
  }
  WaitForRecorders(deadline);
  status_.Erase();
  return {end_, Outlived()};
}

void Watch::ReapAll() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
    if (!WIFSTOPPED(status)) {
      Reaped(pid, status);
    } else if (pid == program_) {
      StopWithProgram(WSTOPSIG(status));
    }
  }
}

void Watch::Reaped(pid_t pid, int status) {
  const recording::ProcessEnd end = ToEnd(pid, status);
  session_.NoteEnd(end);
  if (pid != program_) return;
  end_ = end;
  ended_ = true;
}

void Watch::StopWithProgram(int signal) {
  status_.Erase();
  if (!IsJobControl(signal) || !IsStopped(program_)) return;
  raise(SIGSTOP);
  if (IsStopped(program_)) kill(program_, SIGCONT);
}

void Watch::Handle(const siginfo_t& signal) {
  if (signal.si_signo == SIGCHLD) return;
  // The terminal sends its signals to the whole group, the program included.
  if (signal.si_code == SI_KERNEL || IsFromProgram(signal)) return;
  if (signal.si_signo == SIGCONT && !IsStopped(program_)) return;
  PassOn(signal);
}

// Only this thread reaps the program, so its id cannot belong to another process yet.
void Watch::PassOn(const siginfo_t& signal) const {
  if (signal.si_code == SI_QUEUE) {
    sigqueue(program_, signal.si_signo, signal.si_value);
  } else {
    kill(program_, signal.si_signo);
  }
}

// A signal that the program sent to its group or its parent must not come back to it.
bool Watch::IsFromProgram(const siginfo_t& signal) const {
  pid_t at = signal.si_pid;
  for (int depth = 0; at > 1 && depth < 1000; ++depth) {
    if (at == program_) return true;
    if (at == getpid()) return depth > 0 && !strangers_.contains(signal.si_pid);
    const std::optional<Process> process = ReadProcess(at);
    if (!process) return false;
    at = process->parent;
  }
  return false;
}

bool Watch::AnyStillRecords() const {
  return std::ranges::any_of(LivingDescendants(getpid()), [this](const Process& one) {
    return !strangers_.contains(one.pid) && session_.IsRecording(one.pid);
  });
}

void Watch::WaitForRecorders(milliseconds deadline) {
  const Clock::time_point end = Clock::now() + deadline;
  while (AnyStillRecords() && Clock::now() < end) {
    const std::optional<siginfo_t> signal = signals_.WaitFor(kPoll);
    ReapAll();
    const int number = signal ? signal->si_signo : 0;
    if (number == SIGINT || number == SIGTERM || number == SIGQUIT || number == SIGHUP) return;
    status_.Tick();
  }
  ReapAll();
}

std::vector<findings::Launch::Outlived> Watch::Outlived() const {
  std::vector<findings::Launch::Outlived> outlived;
  for (const Process& one : LivingDescendants(getpid())) {
    if (strangers_.contains(one.pid)) continue;
    outlived.push_back({static_cast<std::uint64_t>(one.pid), one.name});
  }
  return outlived;
}

}  // namespace coalcheck::cli

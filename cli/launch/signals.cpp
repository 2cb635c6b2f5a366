// SPDX-License-Identifier: Apache-2.0
//
// Takes signals with sigtimedwait: without handlers no code runs between two others.
#include "cli/launch/signals.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <ctime>

namespace coalcheck::cli {
namespace {

// Signals of the launcher's own faults; blocked, they would be lost.
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

}  // namespace

HeldSignals::HeldSignals() {
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;  // ignored, children would vanish before they are waited for
  sigaction(SIGCHLD, &plain, &child_before_);
  plain.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &plain, &pipe_before_);
  sigfillset(&held_);
  for (const int fault : kFaults) sigdelset(&held_, fault);
  sigprocmask(SIG_SETMASK, &held_, &mask_before_);
}

std::optional<siginfo_t> HeldSignals::WaitFor(std::chrono::milliseconds duration) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  timespec time = {};
  time.tv_sec = seconds.count();
  time.tv_nsec = std::chrono::nanoseconds(duration - seconds).count();
  siginfo_t info = {};
  if (sigtimedwait(&held_, &info, &time) < 0) return std::nullopt;
  return info;
}

HeldSignals::~HeldSignals() {
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

void HeldSignals::Restore() const {
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigaction(SIGPIPE, &pipe_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

void EndBySignal(int signal) {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0);
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
}

}  // namespace coalcheck::cli

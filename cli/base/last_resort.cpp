// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers that write one sentence and leave. They call nothing that may wait for a lock.
#include "cli/base/last_resort.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "cli/base/exit_code.h"

namespace coalcheck::cli {
namespace {

// AddressSanitizer has a report of its own.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kIsReported = true;
#else
constexpr bool kIsReported = false;
#endif

volatile sig_atomic_t g_exit_code = kInternalError;
std::string g_left_behind;

std::string_view WhyEnded(int signal_number) {
  switch (signal_number) {
    case SIGBUS:
      return "coalcheck: internal error: a file was truncated while it was read\n";
    case SIGPROF:
      return "coalcheck: internal error: this takes more CPU time than --cpu-limit allows\n";
    default:
      return "coalcheck: internal error: no memory is where it was looked for\n";
  }
}

void End(int signal_number) {
  const std::string_view why = WhyEnded(signal_number);
  static_cast<void>(!write(STDERR_FILENO, why.data(), why.size()));
  static_cast<void>(!write(STDERR_FILENO, g_left_behind.data(), g_left_behind.size()));
  _exit(g_exit_code);
}

// Throwing would call destructors, and some of those need memory, too.
void EndWithoutMemory() { End(0); }

void EndOn(int signal_number) {
  struct sigaction action {};
  action.sa_handler = End;
  action.sa_flags = SA_ONSTACK;  // where there is another one
  sigaction(signal_number, &action, nullptr);
}

// Where the stack ends, a handler needs another one.
bool MakeAnotherStack() {
  static std::array<std::byte, 65536> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  return sigaltstack(&stack, nullptr) == 0;
}

}  // namespace

void EndOnCutFiles() { EndOn(SIGBUS); }

void LimitCpuTime(std::uint32_t seconds, int exit_code, std::string left_behind) {
  g_exit_code = exit_code;
  g_left_behind = std::move(left_behind);
  EndOn(SIGPROF);
  std::set_new_handler(EndWithoutMemory);
  if (!kIsReported && MakeAnotherStack()) EndOn(SIGSEGV);
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(seconds);
  setitimer(ITIMER_PROF, &limit, nullptr);
}

}  // namespace coalcheck::cli

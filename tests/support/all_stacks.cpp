// SPDX-License-Identifier: Apache-2.0
//
// Each thread is sent a signal, whose handler prints.
#include "tests/support/all_stacks.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace coalcheck::testing {
namespace {

constexpr std::chrono::seconds kPatience{2};
std::atomic<long> asked{0};

void PrintOwnStack(int /*signal*/) {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  backtrace_symbols_fd(frames.data(), count, STDERR_FILENO);
  asked = 0;
}

void AskThread(long thread) {
  std::fprintf(stderr, "thread %ld:\n", thread);
  asked = thread;
  syscall(SYS_tgkill, getpid(), thread, SIGUSR2);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (asked.load() != 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (asked.load() != 0) std::fprintf(stderr, "  does not answer\n");
}

}  // namespace

void PrintAllStacks() {
  std::array<void*, 1> first{};
  backtrace(first.data(), 1);  // loads what it needs here, not in a handler
  struct sigaction action = {};
  action.sa_handler = PrintOwnStack;
  sigaction(SIGUSR2, &action, nullptr);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    AskThread(std::atol(entry.path().filename().c_str()));
  }
}

}  // namespace coalcheck::testing

// SPDX-License-Identifier: Apache-2.0
//
// Progress, and the warnings.
#include "injection/agent/lifetime/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "injection/agent/process/say.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/base/shell_word.h"

namespace coalcheck::agent {
namespace {

// A window that is not late yet obeys its deadline: only stuck ones are named.
constexpr std::chrono::seconds kLong{5};
constexpr std::chrono::seconds kQuiet{2};

std::string Warning(const OpenWindow::Waiting& waiting, std::chrono::seconds waited) {
  if (waiting.kernel.empty()) {
    return fmt::format(
        "a graph has not been launched, or has not ended, for {} s after it was made",
        waited.count());
  }
  return fmt::format(
      "{} has not ended {} s after it was launched in a window. If the program hangs, it waits for "
      "a launch that cannot be made meanwhile: exclude the kernel with --kernel-exclude {}",
      Demangle(waiting.kernel), waited.count(),
      QuoteForShell(selection::QualifiedName(Demangle(waiting.kernel))));
}

}  // namespace

void Progress::Write() {
  const RunCounters& counters = parts_.counters;
  const recording::Progress now{.launches = counters.launches.load(),
                                .windows = counters.windows_closed.load(),
                                .kernels_without_lines = counters.kernels_without_lines.load(),
                                .window_milliseconds = LongestWindow()};
  const MutexLock lock(mutex_);
  if (now == last_written_) return;
  last_written_ = now;
  parts_.session.WriteProgress(now);
}

std::vector<OpenWindow::Waiting> Progress::OpenWindows() const {
  if (!parts_.windows.AnyOpen()) return {};
  return parts_.contexts.Waiting();
}

std::uint64_t Progress::LongestWindow() const {
  Clock::TimePoint::duration longest{0};
  for (const OpenWindow::Waiting& waiting : OpenWindows()) {
    if (!waiting.kernel.empty()) longest = std::max(longest, parts_.clock.Now() - waiting.since);
  }
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(longest).count());
}

void Progress::WarnOfLongWindows() {
  for (const OpenWindow::Waiting& waiting : OpenWindows()) {
    const auto waited = parts_.clock.Now() - waiting.since;
    const bool is_stuck =
        waiting.kernel.empty() ? waited >= 2 * parts_.deadlines.graph : waiting.is_late;
    if (!is_stuck || waited < kLong || !warned_of_.insert(waiting.window).second) continue;
    Say(Warning(waiting, std::chrono::duration_cast<std::chrono::seconds>(waited)));
  }
}

bool Progress::IsQuiet() {
  const std::uint64_t opened = parts_.counters.windows.load();
  const Clock::TimePoint now = parts_.clock.Now();
  if (opened != windows_when_quiet_began_ || parts_.windows.AnyOpen()) {
    windows_when_quiet_began_ = opened;
    quiet_since_ = now;
  }
  return parts_.counters.windows_closed.load() > 0 && now - quiet_since_ >= kQuiet;
}

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// Overwrites its own line. The cursor goes back to the start of the line, so that the program's
// next line does not begin behind it.
#include "cli/launch/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <string_view>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::cli {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";
constexpr std::uint64_t kLongWindow = 2000;  // milliseconds

void Write(const std::string& text) {
  std::size_t written = 0;
  recording::WriteAll(STDERR_FILENO, text, &written);
}

// Whether this process may write to the terminal, and no full-screen program has set its mode.
bool TerminalIsFree() {
  termios settings = {};
  return tcgetpgrp(STDERR_FILENO) == getpgrp() && tcgetattr(STDERR_FILENO, &settings) == 0 &&
         (settings.c_lflag & ICANON) != 0 && (settings.c_lflag & ECHO) != 0;
}

bool Fits(const std::string& text) {
  winsize size = {};
  // Bytes are at least as many as columns.
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
         text.size() < size.ws_col;
}

}  // namespace

std::string StatusText(const recording::Progress& progress) {
  std::string text =
      fmt::format("coalcheck: {} seen, {}", words::Count(progress.launches, "launch", "launches"),
                  words::Count(progress.windows, "window", "windows"));
  if (progress.kernels_without_lines > 0) {
    text += fmt::format(", {} without line information",
                        words::Count(progress.kernels_without_lines, "kernel", "kernels"));
  }
  if (progress.window_milliseconds >= kLongWindow) {
    text += fmt::format(", counting one launch for {} s", progress.window_milliseconds / 1000);
  }
  return text;
}

StatusLine::StatusLine(const SessionFolder& session, bool wanted)
    : session_(session), enabled_(wanted && isatty(STDERR_FILENO) == 1) {}

void StatusLine::Tick() {
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::seconds(1);
  if (!TerminalIsFree()) return;
  const std::optional<recording::Progress> progress = session_.Progress();
  if (!progress) return;
  const std::string text = StatusText(*progress);
  if (!Fits(text)) return;
  Write(std::string(kEraseLine) + text + "\r");
  shown_ = true;
}

void StatusLine::Erase() {
  if (shown_ && TerminalIsFree()) Write(std::string(kEraseLine));
  shown_ = false;
}

}  // namespace coalcheck::cli

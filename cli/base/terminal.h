// SPDX-License-Identifier: Apache-2.0
//
// How wide a terminal is.
#pragma once

#include <sys/ioctl.h>

#include <cstddef>
#include <optional>

namespace coalcheck::cli {

// Empty where `file` is no terminal, its width is not known, or it is too narrow to break lines
// for.
inline std::optional<std::size_t> TerminalColumns(int file) {
  constexpr unsigned short kNarrowest = 40;
  winsize size = {};
  if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col < kNarrowest) return std::nullopt;
  return size.ws_col;
}

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// One write(2) a line, so that lines of several processes do not mix.
#include "injection/agent/say.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

namespace coalcheck::agent {

void Say(std::string_view sentence) noexcept {
  try {
    const std::string line = fmt::format("coalcheck: {}\n", sentence);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  } catch (...) {
    // Out of memory: there is nothing left to say it with.
  }
}

}  // namespace coalcheck::agent

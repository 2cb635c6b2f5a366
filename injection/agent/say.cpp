// SPDX-License-Identifier: Apache-2.0
//
// One write(2) a line, so that lines of several processes do not mix.
#include "injection/agent/say.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::agent {

void Say(std::string_view sentence) noexcept {
  try {
    const std::string line = fmt::format("coalcheck: {}\n", sentence);
    std::size_t written = 0;
    recording::WriteAll(STDERR_FILENO, line, &written);
  } catch (...) {
    // Out of memory: there is nothing left to say it with.
  }
}

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// One write(2) a line, so that lines of several processes do not mix.
#include "injection/agent/process/say.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::agent {

void Say(std::string_view sentence) noexcept {
  try {
    std::string line = fmt::format("coalcheck: {}", sentence);
    for (char& c : line) {
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';  // names may hold anything
    }
    line += '\n';
    std::size_t written = 0;
    recording::WriteAll(STDERR_FILENO, line, &written);
  } catch (...) {
    // Out of memory: there is nothing left to say it with.
  }
}

}  // namespace coalcheck::agent

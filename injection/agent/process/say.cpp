// SPDX-License-Identifier: Apache-2.0
//
// One write(2) a line, so that lines of several processes do not mix.
#include "injection/agent/process/say.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "libcoalcheck/base/character.h"
#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::agent {
namespace {

// Names may hold anything. "##" begins a command to the log of a build.
std::string Printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool is_shown = length > 0 && !IsHidden(CodePoint(character));
    printable += is_shown ? character : "?";
    if (text.starts_with("##")) printable += ' ';
    text.remove_prefix(character.size());
  }
  return printable;
}

}  // namespace

void Say(std::string_view sentence) noexcept {
  try {
    std::string line = fmt::format("coalcheck: {}", sentence);
    line = Printable(line) + '\n';
    std::size_t written = 0;
    recording::WriteAll(STDERR_FILENO, line, &written);
  } catch (...) {
    // Out of memory: there is nothing left to say it with.
  }
}

}  // namespace coalcheck::agent

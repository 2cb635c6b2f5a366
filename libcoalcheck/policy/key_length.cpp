// SPDX-License-Identifier: Apache-2.0
//
// Counts the dots between what separates keys and values. In strings and comments none counts.
#include "libcoalcheck/policy/key_length.h"

#include <algorithm>
#include <string>

namespace coalcheck::policy {
namespace {

// How long the string is that `text` begins with, or what is left where nothing ends it.
std::size_t LengthOfString(std::string_view text) {
  const char quote = text.front();
  const std::string three(3, quote);
  const bool is_long = text.starts_with(three);
  const std::string_view closing = is_long ? std::string_view(three) : text.substr(0, 1);
  for (std::size_t at = closing.size(); at < text.size(); ++at) {
    if (text.substr(at).starts_with(closing)) {
      at += closing.size();
      while (is_long && at < text.size() && text[at] == quote) ++at;  // they belong to it
      return at;
    }
    if (text[at] == '\n' && !is_long) return at;  // a mistake, which the parser names
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return text.size();
}

}  // namespace

std::size_t LineOfTooLongKey(std::string_view toml) {
  std::size_t line = 1;
  std::size_t parts = 1;
  for (std::size_t at = 0; at < toml.size();) {
    const std::string_view rest = toml.substr(at);
    const char c = rest.front();
    if (c == '"' || c == '\'') {
      const std::string_view string = rest.substr(0, LengthOfString(rest));
      line += static_cast<std::size_t>(std::ranges::count(string, '\n'));
      at += string.size();
      continue;
    }
    if (c == '#') {
      at += std::min(rest.find('\n'), rest.size());
      continue;
    }
    if (c == '\n') ++line;
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) parts = 1;
    if (c == '.' && ++parts > kMostKeyParts) return line;
    ++at;
  }
  return 0;
}

}  // namespace coalcheck::policy

// SPDX-License-Identifier: Apache-2.0
//
// Quotes.
#include "libcoalcheck/base/shell_word.h"

#include <algorithm>

namespace coalcheck {
namespace {

bool NeedsNoQuotes(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./:=@%+,-").find(c) != std::string_view::npos;
}

}  // namespace

std::string QuoteForShell(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string ShellWord(std::string_view word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, NeedsNoQuotes);
  return is_plain ? std::string(word) : QuoteForShell(word);
}

}  // namespace coalcheck

// SPDX-License-Identifier: Apache-2.0
//
// Looks commands up by their words.
#include "cli/syntax/command_syntax.h"

#include <algorithm>
#include <span>

namespace coalcheck::cli {

const CommandSyntax* FindCommand(const CommandLineSyntax& all,
                                 const std::vector<std::string>& words) {
  const auto found = std::ranges::find(all, words, &CommandSyntax::words);
  return found == all.end() ? nullptr : &*found;
}

std::vector<const CommandSyntax*> CommandsBelow(const CommandLineSyntax& all,
                                                const CommandSyntax& command) {
  std::vector<const CommandSyntax*> below;
  for (const CommandSyntax& one : all) {
    const bool is_longer = one.words.size() == command.words.size() + 1;
    if (is_longer &&
        std::ranges::equal(command.words, std::span(one.words).first(command.words.size()))) {
      below.push_back(&one);
    }
  }
  return below;
}

}  // namespace coalcheck::cli

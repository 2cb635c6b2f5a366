// SPDX-License-Identifier: Apache-2.0
//
// The options and words of each command, as plain values. They are taken from the parser, so that
// manual pages, completion and messages about mistyped words agree with --help.
#pragma once

#include <string>
#include <vector>

namespace coalcheck::cli {

struct OptionSyntax {
  std::vector<std::string> names;  // with their dashes, the short one first
  std::string value;               // placeholder, such as "FILE" or "on|off"; empty for a flag
  std::string help;
};

// A word that is no option.
struct ArgumentSyntax {
  std::string value;  // placeholder
  std::string help;
  bool required = false;
  bool repeatable = false;
};

struct CommandSyntax {
  std::vector<std::string> words;  // "baseline", "write"; none for coalcheck itself
  std::string description;
  std::vector<ArgumentSyntax> arguments;
  std::vector<OptionSyntax> options;
  std::string footer;   // paragraphs and examples
  bool hidden = false;  // itself, or a command that it is below of
};

// All commands, each before those below it; the first is coalcheck itself.
using CommandLineSyntax = std::vector<CommandSyntax>;

// Null when there is no such command.
const CommandSyntax* FindCommand(const CommandLineSyntax& all,
                                 const std::vector<std::string>& words);
// Those with one word more.
std::vector<const CommandSyntax*> CommandsBelow(const CommandLineSyntax& all,
                                                const CommandSyntax& command);

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// What the command line takes, as plain values: manual pages and shell completion are written from
// them, and they are read off the very parsers, so that neither can know another option than
// --help.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

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
  std::string footer;  // paragraphs and examples
};

// All commands, each before those below it; the first is coalcheck itself.
using CommandLineSyntax = std::vector<CommandSyntax>;

// Hidden commands are left out; `run` is read off its own parser.
CommandLineSyntax DescribeCommandLine(const CLI::App& root);

// Null when there is no such command.
const CommandSyntax* FindCommand(const CommandLineSyntax& all,
                                 const std::vector<std::string>& words);
// Those with one word more.
std::vector<const CommandSyntax*> CommandsBelow(const CommandLineSyntax& all,
                                                const CommandSyntax& command);

// coalcheck itself as a shell has to know it, where a program and options of `run` may stand in a
// command's place.
CommandSyntax RootWithRunOptions(const CommandLineSyntax& all);

}  // namespace coalcheck::cli

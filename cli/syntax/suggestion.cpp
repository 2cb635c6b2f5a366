// SPDX-License-Identifier: Apache-2.0
//
// Collects the known words and asks for the nearest.
#include "cli/syntax/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "cli/launch/words.h"
#include "libcoalcheck/options/nearest.h"
#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {
namespace {

std::vector<std::string> OptionNames(const CommandSyntax& command) {
  std::vector<std::string> names;
  for (const OptionSyntax& option : command.options) {
    std::ranges::copy_if(option.names, std::back_inserter(names),
                         [](const std::string& name) { return name.starts_with("--"); });
  }
  return names;
}

std::vector<std::string> CommandNames(const CommandLineSyntax& all, const CommandSyntax& command) {
  std::vector<std::string> names;
  for (const CommandSyntax* below : CommandsBelow(all, command)) {
    if (!below->hidden) names.push_back(below->words.back());
  }
  return names;
}

const CommandSyntax& Current(const Reading& mistake, const CommandLineSyntax& all) {
  const CommandSyntax* command = FindCommand(all, mistake.command);
  return command == nullptr ? all.front() : *command;
}

// "CUBIN|PROGRAM" as "cubin or program".
std::string InWords(const std::string& value) {
  std::string words;
  for (const char c : value) {
    if (c == '|') {
      words += " or ";
    } else {
      words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return words;
}

std::string Describe(std::string_view what, const std::string& word,
                     const std::vector<std::string>& known) {
  const std::string nearest = options::Nearest(word, known);
  if (!nearest.empty()) {
    return fmt::format("unknown {} \"{}\": did you mean \"{}\"?", what, word, nearest);
  }
  return fmt::format("unknown {} \"{}\"; known are {}", what, word, fmt::join(known, ", "));
}

// Both are options, and words in other programs.
std::string DescribeCommand(const std::string& word, const std::vector<std::string>& known) {
  std::vector<std::string> names = known;
  names.insert(names.end(), {"help", "version"});
  const std::string nearest = options::Nearest(word, names);
  if (nearest == "help" || nearest == "version") {
    return fmt::format("unknown command \"{}\": did you mean \"--{}\"?", word, nearest);
  }
  return Describe("command", word, known);
}

// Of an option of the table that the command does not take: where it belongs.
std::string DescribeOption(const std::string& word, const CommandSyntax& command) {
  const std::string_view instead = options::InsteadOf(OptionName(word));
  if (!instead.empty()) return fmt::format("there is no option {}: {}", word, instead);
  const std::vector<std::string> known = OptionNames(command);
  const options::OptionSpec* spec = options::FindOption(OptionName(word));
  const bool is_known = std::ranges::find(known, word) != known.end();
  if (spec == nullptr || is_known) return Describe("option", word, known);
  if (spec->scope == options::Scope::kReport) {
    return fmt::format("{} is an option of coalcheck report and coalcheck run", word);
  }
  return fmt::format("{} is an option of coalcheck run: it is about the program's run{}", word,
                     command.words == std::vector<std::string>{"report"} ? ", which is over" : "");
}

}  // namespace

std::string DescribeUnknownWord(const Reading& mistake, const CommandLineSyntax& all) {
  if (mistake.left.empty()) return {};
  const std::string& word = mistake.left.front();
  const CommandSyntax& current = Current(mistake, all);
  if (word.starts_with("-")) return DescribeOption(word.substr(0, word.find('=')), current);
  const std::vector<std::string> known = CommandNames(all, current);
  if (mistake.command.empty()) return DescribeCommand(word, known);
  if (!known.empty()) return Describe("command of " + CommandName(mistake), word, known);
  return fmt::format("unexpected argument \"{}\"", word);
}

std::string DescribeMissingWord(const Reading& mistake, const CommandLineSyntax& all) {
  if (!mistake.is_short) return {};
  const CommandSyntax& current = Current(mistake, all);
  std::string usage = CommandName(mistake);
  if (const std::vector<std::string> below = CommandNames(all, current); !below.empty()) {
    return fmt::format("which command? {} {}", usage, fmt::join(below, "|"));
  }
  if (mistake.missing.empty()) return {};
  for (const ArgumentSyntax& argument : current.arguments) {
    usage += fmt::format(" {}{}", argument.value, argument.repeatable ? "…" : "");
  }
  return fmt::format("which {}? {}", InWords(mistake.missing), usage);
}

std::string CommandName(const Reading& mistake) {
  std::string name = "coalcheck";
  for (const std::string& word : mistake.command) name += " " + word;
  return name;
}

}  // namespace coalcheck::cli

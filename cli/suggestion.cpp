// SPDX-License-Identifier: Apache-2.0
//
// Collects the known words and asks for the nearest.
#include "cli/suggestion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "cli/launch/words.h"
#include "libcoalcheck/options/nearest.h"
#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {
namespace {

std::vector<std::string> Options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> Commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());  // not hidden
  }
  return names;
}

// The command that was being parsed.
const CLI::App& Current(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.back();
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
std::string DescribeOption(const std::string& word, const CLI::App& command) {
  const std::string_view instead = options::InsteadOf(OptionName(word));
  if (!instead.empty()) return fmt::format("there is no option {}: {}", word, instead);
  const std::vector<std::string> known = Options(command);
  const options::OptionSpec* spec = options::FindOption(OptionName(word));
  const bool is_known = std::ranges::find(known, word) != known.end();
  if (spec == nullptr || is_known) return Describe("option", word, known);
  if (spec->scope == options::Scope::kReport) {
    return fmt::format("{} is an option of coalcheck report and coalcheck run", word);
  }
  return fmt::format("{} is an option of coalcheck run: it is about the program's run{}", word,
                     command.get_name() == "report" ? ", which is over" : "");
}

}  // namespace

std::string Message(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::size_t takes = text.find(": takes ");
  if (text.starts_with("--") && takes < text.find(' ')) text.erase(takes, 1);
  return text;
}

std::string DescribeUnknownWord(const CLI::App& app) {
  for (std::string word : app.remaining(/*recurse=*/true)) {
    if (word.starts_with("-")) {
      word = word.substr(0, word.find('='));
      return DescribeOption(word, Current(app));
    }
    if (&Current(app) == &app) return DescribeCommand(word, Commands(app));
    return fmt::format("unexpected argument \"{}\"", word);
  }
  return {};
}

}  // namespace coalcheck::cli

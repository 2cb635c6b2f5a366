// SPDX-License-Identifier: Apache-2.0
//
// Collects the known words and asks for the nearest.
#include "cli/suggestion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
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

// The command that was being parsed, and those above it, coalcheck's own first.
std::vector<const CLI::App*> Parsed(const CLI::App& app) {
  std::vector<const CLI::App*> all = {&app};
  for (auto below = app.get_subcommands(); !below.empty(); below = all.back()->get_subcommands()) {
    all.push_back(below.back());
  }
  return all;
}

const CLI::App& Current(const CLI::App& app) { return *Parsed(app).back(); }

bool IsMissing(const CLI::Option& option) {
  return option.get_positional() && option.get_required() && option.count() == 0;
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
    const CLI::App& current = Current(app);
    if (&current == &app) return DescribeCommand(word, Commands(app));
    const std::vector<std::string> known = Commands(current);
    if (!known.empty()) return Describe("command of coalcheck " + CommandWords(app), word, known);
    return fmt::format("unexpected argument \"{}\"", word);
  }
  return {};
}

std::string DescribeMissingWord(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return {};
  const CLI::App& current = Current(app);
  const std::string command = "coalcheck " + CommandWords(app);
  if (const std::vector<std::string> below = Commands(current); !below.empty()) {
    return fmt::format("which command? {} {}", command, fmt::join(below, "|"));
  }
  std::string missing;
  std::string usage = command;
  for (const CLI::Option* option : current.get_options()) {
    if (!option->get_positional()) continue;
    if (missing.empty() && IsMissing(*option)) missing = InWords(option->get_type_name());
    const bool takes_more = option->get_items_expected_max() > 1;
    usage += fmt::format(" {}{}", option->get_type_name(), takes_more ? "…" : "");
  }
  return missing.empty() ? "" : fmt::format("which {}? {}", missing, usage);
}

std::string CommandWords(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : Parsed(app)) words.push_back(command->get_name());
  return fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
}

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// Collects the known words and asks for the nearest.
#include "cli/suggestion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "libcoalcheck/options/nearest.h"

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
      return Describe("option", word, Options(Current(app)));
    }
    if (&Current(app) == &app) return Describe("command", word, Commands(app));
    return fmt::format("unexpected argument \"{}\"", word);
  }
  return {};
}

}  // namespace coalcheck::cli

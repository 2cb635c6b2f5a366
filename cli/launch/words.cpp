// SPDX-License-Identifier: Apache-2.0
//
// Reads the words once, from left to right.
#include "cli/launch/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "libcoalcheck/options/nearest.h"

namespace coalcheck::cli {
namespace {

using options::FindOption;
using options::OptionSpec;

bool IsOption(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

bool IsHelp(std::string_view word) { return word == "-h" || word == "--help"; }

// "-o" and "-ofile" as "--output" and "--output=file".
std::string LongForm(const std::string& word) {
  if (!word.starts_with("-o")) return word;
  return word.size() == 2 ? "--output" : "--output=" + word.substr(2);
}

// The option at `at`, joined to its value; moves `at` behind both. Null when the table does not
// know it.
Result<std::optional<std::string>> TakeOption(std::span<const std::string> words, std::size_t& at) {
  std::string word = LongForm(words[at]);
  const OptionSpec* spec = word.starts_with("--") ? FindOption(OptionName(word)) : nullptr;
  if (spec == nullptr) return std::optional<std::string>();
  ++at;
  const bool has_value = word.find('=') != std::string::npos;
  if (spec->value.empty()) {
    if (has_value) return Error{fmt::format("--{} takes no value", spec->name)};
  } else if (!has_value) {
    if (at == words.size()) {
      return Error{fmt::format("--{} needs a value: {}", spec->name, spec->value)};
    }
    word += "=" + words[at++];
  }
  // CLI11 would take the next word instead.
  if (word.ends_with('=') && word.find('=') == word.size() - 1) {
    return Error{fmt::format("--{} needs a value: {}", spec->name, spec->value)};
  }
  return std::optional<std::string>(std::move(word));
}

Error UnknownOption(std::string_view word) {
  const std::string_view name = OptionName(word);
  if (const std::string_view instead = options::InsteadOf(name); !instead.empty()) {
    return Error{fmt::format("there is no option --{}: {}", name, instead)};
  }
  std::vector<std::string> names = {"help", "version"};
  for (const OptionSpec& spec : options::OptionTable()) names.emplace_back(spec.name);
  const std::string nearest = word.starts_with("--") ? options::Nearest(name, names) : "";
  if (!nearest.empty()) {
    return Error{fmt::format("unknown option \"--{}\": did you mean \"--{}\"?", name, nearest)};
  }
  return Error{fmt::format("unknown option \"{}\"; coalcheck options lists them", word)};
}

}  // namespace

std::string_view OptionName(std::string_view word) {
  word.remove_prefix(std::min<std::size_t>(word.size(), 2));
  return word.substr(0, word.find('='));
}

Result<LaunchWords> SplitLaunchWords(std::span<const std::string> words) {
  LaunchWords split;
  std::size_t at = 0;
  while (at < words.size() && words[at] != "--" && IsOption(words[at])) {
    if (IsHelp(words[at])) {
      split.options.push_back(words[at++]);
      continue;
    }
    Result<std::optional<std::string>> option = TakeOption(words, at);
    if (!option.ok()) return Error{option.error()};
    if (!option.value()) return UnknownOption(words[at]);
    split.options.push_back(*option.value());
  }
  if (at < words.size() && words[at] == "--") ++at;
  split.program.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  return split;
}

Result<std::vector<std::string>> JoinOptionValues(std::span<const std::string> words) {
  std::vector<std::string> joined;
  std::size_t at = 0;
  while (at < words.size() && words[at] != "--") {
    Result<std::optional<std::string>> option = TakeOption(words, at);
    if (!option.ok()) return Error{option.error()};
    joined.push_back(option.value() ? *option.value() : words[at++]);
  }
  joined.insert(joined.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  return joined;
}

std::vector<std::string> CommandFirst(std::vector<std::string> words,
                                      std::span<const std::string> commands) {
  std::size_t at = 0;
  while (at < words.size() && words[at] != "--" && IsOption(words[at])) {
    const Result<std::optional<std::string>> option = TakeOption(words, at);
    if (!option.ok() || !option.value()) return words;  // the parser says what is wrong
  }
  if (at < words.size() && std::ranges::find(commands, words[at]) != commands.end()) {
    const auto command = words.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(words.begin(), command, command + 1);
  }
  return words;
}

FirstWord Classify(const std::string& word, std::span<const std::string> commands,
                   const std::function<bool(const std::string&)>& is_program) {
  if (IsHelp(word) || word == "--version") return FirstWord::kCommand;
  if (std::ranges::find(commands, word) != commands.end()) return FirstWord::kCommand;
  if (IsOption(word) || is_program(word)) return FirstWord::kLaunch;
  std::vector<std::string> names(commands.begin(), commands.end());
  names.insert(names.end(), {"help", "version"});
  const bool is_path = word.find('/') != std::string::npos;
  return !is_path && !options::Nearest(word, names).empty() ? FirstWord::kMistake
                                                            : FirstWord::kLaunch;
}

}  // namespace coalcheck::cli

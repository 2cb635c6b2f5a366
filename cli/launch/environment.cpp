// SPDX-License-Identifier: Apache-2.0
//
// Merging, quoting, and saying what is replaced.
#include "cli/launch/environment.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/launch/words.h"
#include "libcoalcheck/base/shell_word.h"
#include "libcoalcheck/options/option_table.h"
#include "libcoalcheck/options/split.h"

namespace coalcheck::cli {

std::string AsTemplate(std::string_view path) {
  std::string text;
  for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

Result<std::vector<std::string>> CombineOptions(std::string_view variable,
                                                const std::vector<std::string>& command_line) {
  Result<std::vector<std::string>> words = options::SplitLikeShell(variable);
  if (!words.ok()) return Error{"COALCHECK_OPTIONS: " + words.error()};
  Result<LaunchWords> split = SplitLaunchWords(words.value());
  if (!split.ok()) return Error{"COALCHECK_OPTIONS: " + split.error()};
  if (!split.value().program.empty()) {
    return Error{fmt::format("COALCHECK_OPTIONS: '{}' is not an option; options begin with --",
                             split.value().program[0])};
  }
  std::vector<std::string> merged;
  for (const std::string& word : split.value().options) {
    const bool replaced = std::ranges::any_of(command_line, [&word](const std::string& ours) {
      return OptionName(ours) == OptionName(word);
    });
    if (!replaced) merged.push_back(word);
  }
  merged.insert(merged.end(), command_line.begin(), command_line.end());
  return merged;
}

std::string ValueOf(std::span<const std::string> words, std::string_view name) {
  std::string value;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (OptionName(word) == name && equals != std::string::npos) value = word.substr(equals + 1);
  }
  return value;
}

std::string AgentLine(const std::vector<std::string>& words, const std::string& session) {
  std::string line = "--no-report " + QuoteForShell("--recording=" + AsTemplate(session) + "/%p");
  for (const std::string& word : words) {
    const options::OptionSpec* spec = options::FindOption(OptionName(word));
    if (spec == nullptr || spec->scope != options::Scope::kAgent) continue;
    if (spec->name == "recording" || spec->name == "no-report") continue;
    line += " " + QuoteForShell(word);
  }
  return line;
}

Injection PlanInjection(const std::string& library, std::span<const BeforeLaunch> before) {
  Injection plan;
  for (const BeforeLaunch& variable : before) {
    plan.variables.push_back({variable.name, library});
    if (variable.is_our_library) {
      plan.notes.push_back(fmt::format("{} names this library already: kept", variable.name));
    } else if (!variable.value.empty()) {
      plan.notes.push_back(
          fmt::format("{} was {}; for this run it is {}", variable.name, variable.value, library));
    }
  }
  return plan;
}

}  // namespace coalcheck::cli

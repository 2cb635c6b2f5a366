// SPDX-License-Identifier: Apache-2.0
//
// One function for each command, made of specifications for zsh's _arguments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/manual/completion.h"
#include "cli/manual/value_choices.h"
#include "libcoalcheck/base/shell_word.h"

namespace coalcheck::cli {
namespace {

// A program may stand in a command's place, behind options of run.
constexpr std::string_view kEntry = R"zsh(
_coalcheck() {
  local curcontext=$curcontext
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _coalcheck_commands
    _command_names -e
    return
  fi
  if (( $+functions[_coalcheck_in_$words[2]] )); then
    shift words
    (( CURRENT-- ))
    _coalcheck_in_$words[1]
    return
  fi
  _coalcheck_in_run
}

# Found by compinit in a folder of functions, or sourced.
if [[ $funcstack[1] == _coalcheck ]]; then
  _coalcheck "$@"
else
  compdef _coalcheck coalcheck
fi
)zsh";

// Text that _arguments does not take apart.
std::string Plain(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') plain += '\\';
    plain += c;
  }
  return plain;
}

// ":what:how", of a value or argument.
std::string Action(const std::string& placeholder) {
  const ValueChoices choices = ChoicesOf(placeholder);
  std::vector<std::string> words;
  for (const std::string& word : choices.words) words.push_back(Plain(word));
  std::string how = " ";
  if (choices.files || choices.folders) {
    how = choices.files ? "_files" : "_files -/";
    if (!words.empty()) {
      how = fmt::format("_alternative \"words:word:({})\" \"files:file:{}\"", fmt::join(words, " "),
                        how);
    }
  } else if (!words.empty()) {
    how = fmt::format("({})", fmt::join(words, " "));
  }
  return fmt::format(":{}:{}", Plain(placeholder), how);
}

std::string OptionSpecs(const OptionSyntax& option) {
  std::string specs;
  for (const std::string& name : option.names) {
    // "=" or a word of its own for long options, joined or not for short ones.
    const std::string joint = option.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
    const std::string action = option.value.empty() ? "" : Action(option.value);
    specs += " \\\n    " +
             QuoteForShell(fmt::format("*{}{}[{}]{}", name, joint, Plain(option.help), action));
  }
  return specs;
}

std::string ArgumentSpecs(const CommandSyntax& command) {
  if (command.words == std::vector<std::string>{"run"}) {
    return " \\\n    '(-)1:program:_command_names -e' \\\n    '*::arguments:_normal'";
  }
  std::string specs;
  for (const ArgumentSyntax& argument : command.arguments) {
    specs += " \\\n    " + QuoteForShell((argument.repeatable ? "*" : "") + Action(argument.value));
  }
  return specs;
}

std::string ListFunction(const CommandSyntax& command,
                         const std::vector<const CommandSyntax*>& below) {
  std::string entries;
  for (const CommandSyntax* one : below) {
    entries += "\n    " + QuoteForShell(one->words.back() + ":" + Plain(one->description));
  }
  std::string name = "_coalcheck_commands";
  for (const std::string& word : command.words) name += "_" + word;
  return fmt::format(
      "\n{}() {{\n  local -a commands=({}\n  )\n"
      "  _describe -t commands command commands\n}}\n",
      name, entries);
}

// Hands over to the function of the command that follows, or offers those that may.
std::string Dispatch(const std::string& name) {
  return fmt::format(
      "  if (( CURRENT > 2 )) && (( $+functions[_coalcheck_in_{0}_$words[2]] )); then\n"
      "    shift words\n    (( CURRENT-- ))\n    _coalcheck_in_{0}_$words[1]\n    return\n  fi\n"
      "  (( CURRENT > 2 )) || _coalcheck_commands_{0}\n",
      name);
}

std::string CommandFunction(const CommandSyntax& command, bool has_commands) {
  const std::string name = fmt::format("{}", fmt::join(command.words, "_"));
  std::string specs = ArgumentSpecs(command);
  for (const OptionSyntax& option : command.options) specs += OptionSpecs(option);
  return fmt::format("\n_coalcheck_in_{}() {{\n{}  _arguments -S{}\n}}\n", name,
                     has_commands ? Dispatch(name) : "", specs);
}

}  // namespace

std::string ZshCompletion(const CommandLineSyntax& all) {
  std::string text =
      "#compdef coalcheck\n# zsh completion for coalcheck, made by: coalcheck completion zsh\n";
  for (const CommandSyntax& command : all) {
    const std::vector<const CommandSyntax*> below = CommandsBelow(all, command);
    if (!below.empty()) text += ListFunction(command, below);
    if (!command.words.empty()) text += CommandFunction(command, !below.empty());
  }
  return text + std::string(kEntry);
}

}  // namespace coalcheck::cli

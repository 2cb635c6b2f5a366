// SPDX-License-Identifier: Apache-2.0
//
// One `complete` line for each option of each command, under a condition that names the command.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "cli/manual/completion.h"
#include "cli/manual/value_choices.h"

namespace coalcheck::cli {
namespace {

// {0}: commands that have commands; {1}: all commands; {2}: options that take a value.
constexpr std::string_view kFishFunctions =
    R"fish(# fish completion for coalcheck, made by: coalcheck completion fish

# Prints the command being typed: nothing before there is one, "program" behind the watched program.
function __coalcheck_command
    set -l words (commandline -opc)
    set -l command
    set -l is_value
    for word in $words[2..-1]
        if test -n "$is_value"
            set is_value
        else if test "$word" = --
            echo program
            return
        else if contains -- $word {2}
            set is_value yes
        else if string match -q -- '-*' $word
            continue
        else if contains -- (string join ' ' $command $word) {1}
            set -a command $word
            contains -- "$command" {0} run; or break
        else if test -z "$command" -o "$command" = run
            echo program
            return
        end
    end
    string join ' ' $command
end

function __coalcheck_is
    test "$(__coalcheck_command)" = "$argv[1]"
end

complete -c coalcheck -f
complete -c coalcheck -n '__coalcheck_is program' -F
)fish";

std::string FishQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string Line(const std::string& condition, const std::string& rest) {
  return fmt::format("complete -c coalcheck -n {} {}\n", FishQuoted("__coalcheck_is " + condition),
                     rest);
}

std::string Names(const OptionSyntax& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1);
    names += ' ';
  }
  return names;
}

std::string Value(const std::string& placeholder) {
  if (placeholder.empty()) return "";
  const ValueChoices choices = ChoicesOf(placeholder);
  std::string words = fmt::format("{}", fmt::join(choices.words, " "));
  if (choices.folders && !choices.files) words += " (__fish_complete_directories)";
  return fmt::format("{} {}", choices.files ? "-r -F" : "-x",
                     words.empty() ? "" : "-a " + FishQuoted(words) + " ");
}

std::string Lines(const CommandSyntax& command, const std::vector<const CommandSyntax*>& below) {
  const std::string condition = fmt::format("\"{}\"", fmt::join(command.words, " "));
  std::string lines = "\n";
  for (const CommandSyntax* one : below) {
    lines += Line(condition,
                  fmt::format("-a {} -d {}", one->words.back(), FishQuoted(one->description)));
  }
  for (const ArgumentSyntax& one : command.arguments) {
    const ValueChoices choices = ChoicesOf(one.value);
    if (choices.programs) lines += Line(condition, "-F -a '(__fish_complete_command)'");
    if (choices.files) lines += Line(condition, "-F");
    if (choices.folders) lines += Line(condition, "-a '(__fish_complete_directories)'");
    if (!choices.words.empty()) {
      lines += Line(condition, fmt::format("-a '{}'", fmt::join(choices.words, " ")));
    }
  }
  for (const OptionSyntax& one : command.options) {
    lines += Line(condition, Names(one) + Value(one.value) + "-d " + FishQuoted(one.help));
  }
  return lines;
}

struct Words {
  std::vector<std::string> parents, commands;
  std::set<std::string> valued;
};

Words Collect(const CommandLineSyntax& all) {
  Words words;
  for (const CommandSyntax& command : all) {
    const std::string name = fmt::format("{}", fmt::join(command.words, " "));
    if (!name.empty()) words.commands.push_back(FishQuoted(name));
    if (!name.empty() && !CommandsBelow(all, command).empty()) {
      words.parents.push_back(FishQuoted(name));
    }
    for (const OptionSyntax& option : command.options) {
      if (!option.value.empty()) words.valued.insert(option.names.begin(), option.names.end());
    }
  }
  return words;
}

}  // namespace

std::string FishCompletion(const CommandLineSyntax& all) {
  const Words words = Collect(all);
  std::string text = fmt::format(kFishFunctions, fmt::join(words.parents, " "),
                                 fmt::join(words.commands, " "), fmt::join(words.valued, " "));
  for (const CommandSyntax& command : all) {
    text += Lines(command.words.empty() ? RootWithRunOptions(all) : command,
                  CommandsBelow(all, command));
  }
  return text;
}

}  // namespace coalcheck::cli

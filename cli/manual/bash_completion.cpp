// SPDX-License-Identifier: Apache-2.0
//
// Tables of the words, and a function that walks over a command line with them. It needs bash 4 and
// nothing else; where bash-completion is there, a program's arguments are completed as its own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/manual/completion.h"
#include "cli/manual/value_choices.h"

namespace coalcheck::cli {
namespace {

constexpr std::string_view kBashFunctions = R"bash(
# Sets `command`, `expected` (the option whose value comes next) and `program` (where the watched
# program stands, 0 before it) from the words before the cursor.
_coalcheck_walk() {
  local at word
  command='' expected='' program=0
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=${COMP_WORDS[at]}
    if [[ -n $expected ]]; then
      # bash makes a word of the "=" in --option=value.
      [[ $word == '=' ]] || expected=''
    elif [[ $word == '--' ]]; then
      program=$((at + 1))
      return
    elif [[ $word == -* ]]; then
      _coalcheck_value "$command" "$word" >/dev/null && expected=$word
    elif [[ " $(_coalcheck_commands "$command") " == *" $word "* ]]; then
      command=${command:+$command }$word
    elif [[ -z $command || $command == run ]]; then
      program=$at
      return
    fi
  done
}

# Adds the names that compgen $1 knows to what is offered.
_coalcheck_add() {
  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$@")
}

# Offers those of the words $1 that begin with $2; @file, @folder and @program stand for names of
# such.
_coalcheck_offer() {
  local word words=()
  for word in $1; do
    case $word in
      @file) compopt -o filenames 2>/dev/null; _coalcheck_add -f -- "$2" ;;
      @program)
        if [[ $2 == */* ]]; then
          _coalcheck_offer @file "$2"
        elif [[ -n $2 ]]; then
          _coalcheck_add -c -- "$2"
        fi
        ;;
      @folder) compopt -o filenames 2>/dev/null; _coalcheck_add -d -- "$2" ;;
      *) words+=("$word") ;;
    esac
  done
  _coalcheck_add -W "${words[*]}" -- "$2"
  # "every:" wants a number behind it, not a blank.
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null
}

_coalcheck_offer_program() {
  if [[ $program -eq $COMP_CWORD ]]; then
    _coalcheck_offer @program "$1"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$program"
  else
    _coalcheck_offer @file "$1"
  fi
}

_coalcheck() {
  local command expected program current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  _coalcheck_walk
  if [[ -n $expected ]]; then
    [[ $current != '=' ]] || current=''
    _coalcheck_offer "$(_coalcheck_value "$command" "$expected")" "$current"
  elif [[ $program -gt 0 ]]; then
    _coalcheck_offer_program "$current"
  elif [[ $current == -* ]]; then
    _coalcheck_offer "$(_coalcheck_options "$command")" "$current"
  else
    _coalcheck_offer "$(_coalcheck_commands "$command") $(_coalcheck_arguments "$command")" "$current"
  fi
}

complete -F _coalcheck coalcheck
)bash";

std::string Joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string Offer(const std::string& placeholder) {
  ValueChoices choices = ChoicesOf(placeholder);
  if (choices.files) choices.words.emplace_back("@file");
  if (choices.folders) choices.words.emplace_back("@folder");
  if (choices.programs) choices.words.emplace_back("@program");
  return Joined(choices.words);
}

// The branches of `case COMMAND` for a command and those below it.
struct Tables {
  std::string commands, arguments, options, values;
};

std::string Values(const CommandSyntax& command) {
  std::string branches;
  for (const OptionSyntax& option : command.options) {
    if (option.value.empty()) continue;
    branches += fmt::format("      {}) echo '{}' ;;\n", fmt::join(option.names, " | "),
                            Offer(option.value));
  }
  return branches + "      *) return 1 ;;\n";
}

// `below`: the commands that may follow.
void AddCommand(const CommandSyntax& command, const std::vector<const CommandSyntax*>& below,
                Tables& tables) {
  const std::string words = Joined(command.words);
  std::vector<std::string> names;
  names.reserve(below.size());
  for (const CommandSyntax* one : below) names.push_back(one->words.back());
  if (!names.empty()) {
    tables.commands += fmt::format("    '{}') echo '{}' ;;\n", words, Joined(names));
  }
  std::string arguments;
  for (const ArgumentSyntax& one : command.arguments) arguments += Offer(one.value) + ' ';
  if (!arguments.empty()) {
    tables.arguments += fmt::format("    '{}') echo '{}' ;;\n", words, arguments);
  }
  std::vector<std::string> options;
  for (const OptionSyntax& one : command.options) {
    options.insert(options.end(), one.names.begin(), one.names.end());
  }
  tables.options += fmt::format("    '{}') echo '{}' ;;\n", words, Joined(options));
  tables.values += fmt::format("    '{}') case $2 in\n{}    esac ;;\n", words, Values(command));
}

std::string Function(std::string_view name, std::string_view comment, std::string_view branches) {
  return fmt::format("\n# {}\n{}() {{\n  case $1 in\n{}  esac\n}}\n", comment, name, branches);
}

}  // namespace

std::string BashCompletion(const CommandLineSyntax& all) {
  Tables tables;
  for (const CommandSyntax& command : all) {
    AddCommand(command.words.empty() ? RootWithRunOptions(all) : command,
               CommandsBelow(all, command), tables);
  }
  return "# bash completion for coalcheck, made by: coalcheck completion bash\n" +
         Function("_coalcheck_commands", "The commands below a command.", tables.commands) +
         Function("_coalcheck_arguments", "What else may follow it.", tables.arguments) +
         Function("_coalcheck_options", "Its options.", tables.options) +
         Function("_coalcheck_value",
                  "What the value of an option can be; fails for one that has none.",
                  tables.values) +
         std::string(kBashFunctions);
}

}  // namespace coalcheck::cli

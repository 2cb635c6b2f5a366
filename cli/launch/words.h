// SPDX-License-Identifier: Apache-2.0
//
// Takes the words of a command line apart with the table of options, before any parser: where the
// options end and the program begins, and which word is the value of which option.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {

struct LaunchWords {
  std::vector<std::string> options;  // each "--name=value" or "--name"
  std::vector<std::string> program;  // and its arguments; empty when there is none
};

// Options, then the program and its arguments; "--" ends the options. Error: an unknown option
// (with the nearest known one), or an option without its value.
Result<LaunchWords> SplitLaunchWords(std::span<const std::string> words);

// The same words with each option of the table that takes one joined to its value, "-o x" as
// "--output=x", so that "--print-limit -1" is no option "-1". Stops at "--". Error: an option
// without its value.
Result<std::vector<std::string>> JoinOptionValues(std::span<const std::string> words);

// The option's name in "--name=value" or "--name".
std::string_view OptionName(std::string_view word);

// The same words, the command first where only options of the table stand before it: "--exit-zero
// run ls" is "run --exit-zero ls". Behind "--" there is no command.
std::vector<std::string> CommandFirst(std::vector<std::string> words,
                                      std::span<const std::string> commands);

// What the first word of the command line asks for.
enum class FirstWord {
  kCommand,  // a command, or an option of coalcheck itself such as --help
  kLaunch,   // a program, or options for one
  kMistake,  // close to a command, and no program
};
// `is_program` says whether a word names something that can be executed.
FirstWord Classify(const std::string& word, std::span<const std::string> commands,
                   const std::function<bool(const std::string&)>& is_program);

}  // namespace coalcheck::cli

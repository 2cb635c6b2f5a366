// SPDX-License-Identifier: Apache-2.0
//
// Messages about mistyped command lines, with the word that was probably meant.
#pragma once

#include <string>

#include "cli/syntax/command_line.h"
#include "cli/syntax/command_syntax.h"

namespace coalcheck::cli {

// A sentence about the words that no command takes, naming the nearest command or option when one
// is near: `unknown option "--fromat": did you mean "--format"?`. Empty when every word was taken.
std::string DescribeUnknownWord(const Reading& mistake, const CommandLineSyntax& all);

// The words that a command still lacks: "which file? coalcheck baseline write FILE
// RECORDING…". Empty when the mistake is another.
std::string DescribeMissingWord(const Reading& mistake, const CommandLineSyntax& all);

// How a user calls the command that was being read: "coalcheck baseline write".
std::string CommandName(const Reading& mistake);

}  // namespace coalcheck::cli

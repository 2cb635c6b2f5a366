// SPDX-License-Identifier: Apache-2.0
//
// Scripts that make a shell complete coalcheck's words: commands, options and their values. After a
// program they hand over to the program's own completion.
#pragma once

#include <string>

#include "cli/manual/syntax.h"

namespace coalcheck::cli {

std::string BashCompletion(const CommandLineSyntax& all);
std::string ZshCompletion(const CommandLineSyntax& all);
std::string FishCompletion(const CommandLineSyntax& all);

}  // namespace coalcheck::cli

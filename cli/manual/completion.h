// SPDX-License-Identifier: Apache-2.0
//
// Scripts that make a shell complete coalcheck's words. Each offers commands, options, what an
// option's value can be, and hands over to the program's own completion behind a program.
#pragma once

#include <string>

#include "cli/manual/syntax.h"

namespace coalcheck::cli {

std::string BashCompletion(const CommandLineSyntax& all);
std::string ZshCompletion(const CommandLineSyntax& all);
std::string FishCompletion(const CommandLineSyntax& all);

}  // namespace coalcheck::cli

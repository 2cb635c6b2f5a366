// SPDX-License-Identifier: Apache-2.0
//
// The commands that manual pages and shell completion are written from.
#pragma once

#include "cli/syntax/command_line.h"
#include "cli/syntax/command_syntax.h"

namespace coalcheck::cli {

// Hidden commands are left out.
CommandLineSyntax DescribeCommandLine(const Command& root);

// coalcheck itself as a shell has to know it, where a program and options of `run` may stand in a
// command's place.
CommandSyntax RootWithRunOptions(const CommandLineSyntax& all);

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// A manual page in the language of man(7).
#pragma once

#include <string>

#include "cli/manual/syntax.h"

namespace coalcheck::cli {

// "coalcheck-baseline-write": the page's name, without its section.
std::string PageName(const CommandSyntax& command);

// The page of `command`, which is `root` or a command of it. ASCII, whatever the words hold.
std::string ManPage(const CommandSyntax& root, const CommandSyntax& command);

}  // namespace coalcheck::cli

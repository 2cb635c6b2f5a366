// SPDX-License-Identifier: Apache-2.0
//
// A manual page in the language of man(7).
#pragma once

#include <string>

#include "cli/manual/syntax.h"

namespace coalcheck::cli {

// "coalcheck-baseline-write": the page's name, without its section.
std::string PageName(const CommandSyntax& command);

// The page of `command`, which is one of `all`. ASCII, whatever the words hold.
std::string ManPage(const CommandLineSyntax& all, const CommandSyntax& command);

}  // namespace coalcheck::cli

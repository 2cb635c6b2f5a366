// SPDX-License-Identifier: Apache-2.0
//
// Words of command lines that messages suggest: a reader copies them, whatever a name holds.
#pragma once

#include <string>
#include <string_view>

namespace coalcheck {

// In single quotes, so that a shell, and options::SplitLikeShell, take it for one word and nothing
// in it for theirs.
std::string QuoteForShell(std::string_view word);

// The same, as it is where no character of it needs quotes.
std::string ShellWord(std::string_view word);

}  // namespace coalcheck

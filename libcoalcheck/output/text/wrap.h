// SPDX-License-Identifier: Apache-2.0
//
// Lines broken to the width of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coalcheck::output {

// The columns that `line` takes: characters, without the sequences that colour it.
std::size_t Columns(std::string_view line);

// `text` with each line of more than `width` columns broken at blanks, what follows indented below
// it. A word that is too long stays whole. Lines of source, which have " | " after a number, are as
// they were.
std::string Wrapped(std::string_view text, std::size_t width);

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// How the commands report problems with their input: one way for all of them.
#pragma once

#include <ostream>
#include <string_view>

namespace coalcheck::cli {

// Writes "coalcheck: " and the sentence. It may hold names out of foreign files: characters that
// move a terminal's cursor or end a line, and commands to a build's log, are escaped.
void Say(std::ostream& stream, std::string_view sentence);
// The same on stderr.
void Say(std::string_view sentence);

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// The one way in which the commands speak of what they were given.
#pragma once

#include <ostream>
#include <string_view>

namespace coalcheck::cli {

// Writes "coalcheck: " and the sentence, in which names, keys and patterns of others may stand:
// what moves a terminal's cursor, ends a line or is a command to a build's log does not get
// through.
void Say(std::ostream& stream, std::string_view sentence);
// The same on stderr.
void Say(std::string_view sentence);

}  // namespace coalcheck::cli

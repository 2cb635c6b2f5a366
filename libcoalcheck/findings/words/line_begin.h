// SPDX-License-Identifier: Apache-2.0
//
// Where printed text may be broken into lines.
#pragma once

#include <string_view>

namespace coalcheck::words {

// False for a word that a build's log would take for a command where it began a line ("::error::"),
// and for white space of any alphabet, behind which the next word would begin it.
bool MayBeginLine(std::string_view word);

}  // namespace coalcheck::words

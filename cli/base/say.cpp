// SPDX-License-Identifier: Apache-2.0
//
// Writes the line with one call.
#include "cli/base/say.h"

#include <iostream>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::cli {

void Say(std::ostream& stream, std::string_view sentence) {
  stream << "coalcheck: " << words::Printable(sentence) << '\n' << std::flush;
}

void Say(std::string_view sentence) { Say(std::cerr, sentence); }

}  // namespace coalcheck::cli

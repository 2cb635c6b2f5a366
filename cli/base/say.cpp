// SPDX-License-Identifier: Apache-2.0
//
// One line, at once.
#include "cli/base/say.h"

#include <iostream>

#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::cli {

void Say(std::ostream& stream, std::string_view sentence) {
  stream << "coalcheck: " << words::Printable(sentence) << '\n' << std::flush;
}

void Say(std::string_view sentence) { Say(std::cerr, sentence); }

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// Reads the declaration of a variable or parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "libcoalcheck/ptx/module.h"
#include "libcoalcheck/ptx/tokens.h"

namespace coalcheck::ptx {

// The state space that a declaration's first word names (".shared"); empty for other words.
std::optional<Space> SpaceOfDirective(std::string_view word);

struct Declaration {
  Symbol symbol;            // without a name when it could not be read
  Type type;                // of an element; bits for an array
  std::uint64_t align = 0;  // bytes; 0 when it is not said
  Token last;               // what ended it: a semicolon, a comma, a bracket, `=`
};

// `first`, its first word, has been read.
Declaration ReadDeclaration(Tokens& tokens, const Token& first);

}  // namespace coalcheck::ptx

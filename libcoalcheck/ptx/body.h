// SPDX-License-Identifier: Apache-2.0
//
// Reads one function: its signature, its variables and its instructions.
#pragma once

#include <vector>

#include "libcoalcheck/ptx/module.h"
#include "libcoalcheck/ptx/tokens.h"

namespace coalcheck::ptx {

// `tokens` begins at `.entry` or `.func`. `globals`: the module's variables, which come first
// among the function's symbols.
Function ReadFunction(Tokens& tokens, const std::vector<Symbol>& globals);

}  // namespace coalcheck::ptx

// SPDX-License-Identifier: Apache-2.0
//
// Numbers that the text of a module gives its variables in constant memory.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

// What stands behind `=` where a variable is declared.
struct Initializer {
  std::string_view text;  // without the semicolon
  Type element;
  char line_end = '\n';  // of the text
};

// By the number of the symbol, which all functions of the module share.
using Initializers = std::map<std::uint32_t, Initializer>;

// In the place of each load from a known place in such a variable: a move of what its text says. A
// program can write other numbers there before a launch, which nothing in the text shows;
// Function::has_constants says that it was done.
void PutInConstants(const Initializers& initializers, Function& function);

}  // namespace coalcheck::ptx

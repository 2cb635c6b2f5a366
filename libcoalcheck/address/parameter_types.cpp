// SPDX-License-Identifier: Apache-2.0
//
// Splits the last list of parameters at its commas.
#include "libcoalcheck/address/parameter_types.h"

#include <cstddef>

namespace coalcheck::address {

std::vector<std::string> ParameterTypes(std::string_view demangled) {
  if (!demangled.ends_with(')')) return {};
  // The list is the last group of parentheses; types of functions nest.
  std::size_t open = demangled.size() - 1;
  int depth = 1;
  while (open > 0 && depth > 0) {
    --open;
    if (demangled[open] == ')') ++depth;
    if (demangled[open] == '(') --depth;
  }
  if (depth != 0) return {};
  std::vector<std::string> types;
  std::string type;
  for (const char c : demangled.substr(open + 1)) {
    if (c == '(' || c == '<' || c == '[') ++depth;
    if ((c == ',' && depth == 0) || (c == ')' && depth == 0)) {
      types.push_back(type.starts_with(' ') ? type.substr(1) : type);
      type.clear();
      continue;
    }
    if (c == ')' || c == '>' || c == ']') --depth;
    type += c;
  }
  return types;
}

}  // namespace coalcheck::address

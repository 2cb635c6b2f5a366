// SPDX-License-Identifier: Apache-2.0
//
// What a name in C++ is made of.
#pragma once

namespace coalcheck {

// A letter of ASCII, a digit or an underscore.
inline bool IsOfIdentifier(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace coalcheck

// SPDX-License-Identifier: Apache-2.0
//
// What the elements of an array are called.
#pragma once

#include <string>
#include <string_view>

#include "libcoalcheck/base/units.h"

namespace coalcheck::findings {

// The plural of what a pointer of `type` points to, "floats" for "float const*", where that is a
// type of the language and as wide as the access; else "elements of 16 bytes".
std::string ElementWords(std::string_view type, Bytes width);

}  // namespace coalcheck::findings

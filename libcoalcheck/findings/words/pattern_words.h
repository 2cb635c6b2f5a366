// SPDX-License-Identifier: Apache-2.0
//
// Patterns as people read them.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::words {

// "36 to 40", "12", "at least 124".
std::string Range(const patterns::ParameterRange& range);

// "strided by 12 bytes, or a field of a structure of that size". A structure that is padded and one
// that is not are one to a reader where both fit.
std::string Patterns(const std::vector<patterns::Candidate>& candidates);

}  // namespace coalcheck::words

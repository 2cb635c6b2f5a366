// SPDX-License-Identifier: Apache-2.0
//
// Accesses of one warp whose addresses differ by constants: the x, y and z of a structure, a vector
// split by hand.
#pragma once

#include <vector>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/patterns/evidence.h"

namespace coalcheck::patterns {

// How many bytes of a structure of `size` bytes an access of `width` bytes and its siblings use.
// Structures lie one behind the other, so what lies in a neighbour's is taken to this one.
Bytes BytesUsed(Bytes size, Bytes width, const std::vector<Sibling>& siblings);

}  // namespace coalcheck::patterns

// SPDX-License-Identifier: Apache-2.0
//
// Moves by which data lie elsewhere: an array for each field of a structure, an array that begins
// later, rows that are padded. Threads stay who they are.
#pragma once

#include <vector>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// All that could be tried, in no order. Of each array that is moved every access must be confirmed,
// and of each other access it must be known which array it is of.
std::vector<Move> LayoutMoves(Trial& trial);

}  // namespace coalcheck::moves

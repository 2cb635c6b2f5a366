// SPDX-License-Identifier: Apache-2.0
//
// Moves by which a block fetches once what several of its threads load of an array, side by side.
#pragma once

#include <vector>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// `trial` is of a launch that is explained, of threads that know nothing of each other.
std::vector<Move> WindowMoves(Trial& trial);

}  // namespace coalcheck::moves

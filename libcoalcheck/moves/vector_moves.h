// SPDX-License-Identifier: Apache-2.0
//
// The move by which a thread takes what lies side by side in one access.
#pragma once

#include <vector>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// One move of all arrays that it helps, if any. Threads may work together, and accesses of other
// arrays need not be explained: each thread asks for what it asked for.
std::vector<Move> VectorMoves(Trial& trial);

}  // namespace coalcheck::moves

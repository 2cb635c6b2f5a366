// SPDX-License-Identifier: Apache-2.0
//
// Moves by which threads change places: the axes exchanged, a block of another shape, a tile of
// shared memory between what was read and what is written.
#pragma once

#include <vector>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// All that could be tried, in no order. Threads must work on their own, and every access be
// confirmed.
std::vector<Move> SeatMoves(Trial& trial);

// Of kernels whose threads work together: each warp gets other threads, and what they did together
// has to be done along another axis. Every access has to be confirmed.
std::vector<Move> RegroupedMoves(Trial& trial);

}  // namespace coalcheck::moves

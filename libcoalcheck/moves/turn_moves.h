// SPDX-License-Identifier: Apache-2.0
//
// Moves by which lanes run along what one thread took in turns.
#pragma once

#include <vector>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// All that could be tried, in no order. Threads must work on their own, and every access be
// explained.
std::vector<Move> TurnMoves(Trial& trial);

// The same where threads of a block put together what each of them has made of its elements.
std::vector<Move> RegroupedTurns(Trial& trial);

}  // namespace coalcheck::moves

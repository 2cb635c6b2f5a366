// SPDX-License-Identifier: Apache-2.0
//
// How far apart the threads are that ask for neighbouring bytes.
#pragma once

#include <cstdint>
#include <set>

#include "libcoalcheck/moves/try_moves.h"

namespace coalcheck::moves {

// In threads along x, of which there are so many `places`: what the code divides their number by,
// where it makes several numbers of one. The least few.
std::set<std::uint64_t> StridesOf(const Subject& subject, std::uint64_t places);

// Whether the threads of one place in blocks that lie side by side along x ask for one sector.
bool AreBlocksNeighbours(const Subject& subject);

}  // namespace coalcheck::moves

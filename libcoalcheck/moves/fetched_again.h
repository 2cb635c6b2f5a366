// SPDX-License-Identifier: Apache-2.0
//
// Loads by which a block fetches again what it has fetched: coalesced, and asked for many times.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::moves {

// A block that asks for a sector so often, on average, fetches it again; of all that it asks for,
// so much is to be fetched again for it to matter.
inline constexpr double kOften = 4;
inline constexpr double kShareThatMatters = 0.5;

// Of the loads of one line, in the first rounds of their loop.
struct FetchedAgain {
  std::uint32_t instruction = 0;  // the first of them
  double times = 0;               // that a block asks for each sector, on average
  // What the block asks for in these rounds, each sector once; 0: more than shared memory holds.
  Bytes tile;
  std::uint32_t loads = 0;  // of a thread, in these rounds
};

// Evaluates one block in the middle of the grid. `lines`: the number of the line of each load that
// is looked at, by instruction. Empty where data decide what the block does, where it fetches
// little again, and where that takes longer than `steps`, which are counted down.
std::vector<FetchedAgain> FindFetchedAgain(const address::Program& program,
                                           const address::LaunchValues& launch,
                                           const std::map<std::uint32_t, std::uint32_t>& lines,
                                           std::uint64_t& steps);

}  // namespace coalcheck::moves

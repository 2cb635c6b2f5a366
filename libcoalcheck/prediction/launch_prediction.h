// SPDX-License-Identifier: Apache-2.0
//
// What each access of a kernel asks for in one launch that nobody has counted.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/address/program.h"

namespace coalcheck::prediction {

struct AccessRange {
  address::Sums least;  // where everything that is open is as good as it can be
  address::Sums most;
  double lanes_open = 0;                 // requests in which lanes differ by what is not known
  std::vector<address::Origin> origins;  // of what is not known in addresses
  bool by_stores = false;                // no two threads of a warp store to one place: it was used
};

struct LaunchPrediction {
  std::map<std::uint32_t, AccessRange> accesses;  // those executed, by instruction of the function
  bool is_complete = true;                        // no warp was given up
  bool has_open_rounds = false;                   // a loop runs nobody knows how often
  bool is_cut = false;                            // a loop or a warp was left before its end
  std::uint64_t symbols = 0;                      // that were told apart, and sums of them
  std::uint64_t judged = 0;                       // requests of warps, each for itself
};

// Loads that all lanes of a warp make alike, by where their opcodes stand in the PTX.
using UniformLoads = std::set<const char*>;

// Which warps are run.
enum class Walk : std::uint8_t {
  kExample,     // of a few blocks, as grid and block stand for others
  kBlocks,      // all of each block
  kLongBlocks,  // one of each block, as they take long
  kFarInLoops,  // the same, with one round more of loops that run nobody knows how often
};

// `steps` is what it may cost, counted down.
LaunchPrediction PredictLaunch(const address::Program& program, const address::LaunchValues& launch,
                               const UniformLoads& uniform, Walk walk, std::uint64_t& steps);

// Of an example: what single warps ask for that the code's own numbers tell from those that stand
// for all.
std::vector<LaunchPrediction> PredictFarExamples(const address::Program& program,
                                                 const address::LaunchValues& launch,
                                                 const UniformLoads& uniform, std::uint64_t& steps);

}  // namespace coalcheck::prediction

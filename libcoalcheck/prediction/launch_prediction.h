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
};

struct LaunchPrediction {
  std::map<std::uint32_t, AccessRange> accesses;  // those executed, by instruction of the function
  bool is_complete = true;                        // no warp was given up
};

// Loads that all lanes of a warp make alike, by where their opcodes stand in the PTX.
using UniformLoads = std::set<const char*>;

// `is_example`: grid and block stand for others, so a few blocks are enough. `steps` is what it
// may cost, counted down.
LaunchPrediction PredictLaunch(const address::Program& program, const address::LaunchValues& launch,
                               const UniformLoads& uniform, bool is_example, std::uint64_t& steps);

}  // namespace coalcheck::prediction

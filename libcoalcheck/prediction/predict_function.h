// SPDX-License-Identifier: Apache-2.0
//
// What each access of a compiled function will cost, from its PTX alone or with what is known of
// its launches.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/known_launches.h"

namespace coalcheck::prediction {

// What keeps an access from being judged.
struct Open {
  std::vector<std::uint32_t> parameters;  // numbers, from 0
  std::vector<std::uint32_t> ptx_lines;   // of instructions that load what decides
  bool lanes_by_data = false;  // what lanes load makes them differ: no launch would settle it
  bool is_passed_by = false;   // what was followed did not come to it
  std::string why;             // where nothing was evaluated: a clause
};

struct AccessPrediction {
  Counts least;  // of the launch, or the possible one, that wastes least
  Counts most;
  Open open;
};

struct FunctionPrediction {
  std::map<PcOffset, AccessPrediction> accesses;
  std::vector<std::string> problems;  // of launches that do not fit it
  std::string assumed;  // the launches that it holds for: "grid 128x512, block 32x8"; empty: all
};

// `known`: null where nothing is known of its launches.
FunctionPrediction PredictFunction(const cubin::Function& function,
                                   const address::AccessFormulas& formulas,
                                   const LaunchesOfKernel* known);

}  // namespace coalcheck::prediction

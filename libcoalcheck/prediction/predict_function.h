// SPDX-License-Identifier: Apache-2.0
//
// What each access of a compiled function will cost, out of what was predicted for the kernels that
// it is part of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/sums/counted_launch.h"
#include "libcoalcheck/prediction/kernel_prediction.h"

namespace coalcheck::prediction {

// What keeps an access from being judged.
struct Open {
  std::string kernel;                     // mangled, that the parameters are of
  std::vector<std::uint32_t> parameters;  // numbers, from 0
  std::vector<std::string> names;         // of all its parameters in the source; empty: not known
  std::vector<std::uint32_t> ptx_lines;   // of instructions that load what decides
  bool has_variables = false;             // where variables of the module lie decides
  bool lanes_by_data = false;  // what lanes load makes them differ: no launch would settle it
  bool is_cut = false;         // warps were not followed to their end
  bool is_passed_by = false;   // what was followed did not come to it
  std::string why;             // where nothing was evaluated: a clause
};

struct AccessPrediction {
  Counts least;  // of the launch, or the possible one, that wastes least
  Counts most;
  Open open;
  bool by_stores = false;  // threads are taken to store to no place twice
  bool by_rounds = false;  // later rounds of a loop are taken to do as the first ones
  // Where only some of these rounds execute it: a number that accesses of one block have in common.
  // How often others are executed beside it, nobody knows.
  std::optional<std::uint32_t> round_block;
};

struct FunctionPrediction {
  std::map<PcOffset, AccessPrediction> accesses;
  bool calls_unseen = false;  // a kernel that holds it calls functions that are not followed
  std::optional<address::Extent> block;  // of all its launches, as far as they are alike
  std::string
      assumed;  // the launches that it holds for: "block 32x8x1, grid 128x512x1"; empty: all
  bool is_by_comment = false;                  // a comment in the source names one of them
  std::vector<findings::CountedLaunch> given;  // on which changes of a kernel can be tried
};

// `kernels`: those that may hold it: a kernel itself, or those of its cubin.
FunctionPrediction PredictFunction(const cubin::Function& function,
                                   const address::AccessFormulas& formulas,
                                   const std::vector<const KernelPrediction*>& kernels);

}  // namespace coalcheck::prediction

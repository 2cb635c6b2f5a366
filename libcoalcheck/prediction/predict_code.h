// SPDX-License-Identifier: Apache-2.0
//
// What the accesses of all functions of some compiled code will cost.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/findings/sources/attribution.h"
#include "libcoalcheck/prediction/held_code.h"
#include "libcoalcheck/prediction/predict_function.h"

namespace coalcheck::prediction {

struct CodePrediction {
  // By cubin and mangled name; those with accesses.
  std::map<CubinId, std::map<std::string, FunctionPrediction>> cubins;
  std::vector<std::string> problems;  // launches that do not fit their kernel
  // In functions that hold neither lines nor PTX, as of libraries: these are not in `cubins`.
  std::uint64_t accesses_without_ptx = 0;
  // In functions for which nothing was left that may be spent on all files together; neither.
  std::uint64_t accesses_beyond = 0;
  std::uint64_t functions_beyond = 0;

  const FunctionPrediction& Of(CubinId cubin, const std::string& function) const {
    return cubins.at(cubin).at(function);
  }
};

// `source` names parameters, and says for which launches kernels are predicted of which nothing
// else is known.
CodePrediction PredictCode(const HeldCode& code, const findings::SourceView& source);

}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// What the accesses of all functions of some compiled code will cost.
#pragma once

#include <cstddef>
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
  // Launches that do not fit their kernel and comments that are wrong: the first, each once.
  static constexpr std::size_t kMostProblems = 200;
  std::vector<std::string> problems;
  std::uint64_t problems_beyond = 0;
  // In functions that hold neither lines nor PTX, as of libraries: these are not in `cubins`.
  std::uint64_t accesses_without_ptx = 0;
  // In functions for which nothing was left that may be spent on all files together; neither.
  std::uint64_t accesses_beyond = 0;
  std::uint64_t functions_beyond = 0;

  void AddProblem(const std::string& problem);
  const FunctionPrediction& Of(CubinId cubin, const std::string& function) const {
    return cubins.at(cubin).at(function);
  }
};

// `source` names parameters, and says for which launches kernels are predicted of which nothing
// else is known.
CodePrediction PredictCode(const HeldCode& code, const findings::SourceView& source);

}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// Predicts launches that were not counted from those that were: where a counted launch was alike,
// by its counts, else by evaluating the kernel with their own shapes and arguments.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/findings/explaining/alike_launches.h"
#include "libcoalcheck/findings/explaining/called_kernel.h"
#include "libcoalcheck/findings/explaining/formula_facts.h"

namespace coalcheck::findings {

// By instruction of the PTX: what one launch asks for.
using SumsOfAccesses = std::map<std::uint32_t, address::Sums>;

// Launches that are alike.
struct PredictedGroup {
  Launches launches;
  double threads = 0;       // of one launch
  SumsOfAccesses accesses;  // those that could be predicted
};

// Of one kernel.
class LaunchPredictor {
 public:
  explicit LaunchPredictor(std::vector<std::uint32_t> pointers) : pointers_(std::move(pointers)) {}

  // A counted launch with its arguments, evaluated. `confirmed`: accesses whose evaluation gives
  // their counts.
  void Learn(const recording::UncountedSet& launch, const CountsOfPtx& counted,
             const std::set<std::uint32_t>& confirmed, const address::LaunchEvaluation& evaluation);
  // `steps`: what it may cost, counted down.
  std::vector<PredictedGroup> Predict(const std::vector<recording::UncountedSet>& sets,
                                      const CalledKernel& kernel, std::uint64_t& steps) const;

 private:
  SumsOfAccesses Evaluate(const recording::UncountedSet& launch, const CalledKernel& kernel,
                          std::uint64_t& steps, std::uint64_t most) const;

  const std::vector<std::uint32_t> pointers_;
  std::map<LaunchKey, SumsOfAccesses> counted_;  // of one launch
  // Whether the evaluation of an access gave its requests and sectors in each counted launch.
  std::map<std::uint32_t, bool> holds_;
};

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// A kernel with the functions that it calls in it, and its evaluation as one of these functions
// sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/program.h"

namespace coalcheck::findings {

class CalledKernel {
 public:
  // `own`: the function whose accesses are asked for.
  CalledKernel(ptx::Function inlined, const address::AccessFormulas& own);

  const ptx::Function& function() const { return function_; }
  // Null where its addresses depend on more registers than the evaluator holds.
  const address::Program* program() const { return program_ ? &*program_ : nullptr; }
  // The evaluation with the accesses of the function alone, numbered as there.
  address::LaunchEvaluation Own(address::LaunchEvaluation evaluation) const;
  // Of these accesses of the function alone, without what the others depend on.
  address::LaunchEvaluation EvaluateOnly(const std::set<std::uint32_t>& accesses,
                                         const address::LaunchValues& values,
                                         const address::EvaluationLimits& limits) const;
  // The same accesses, those together that are executed together.
  std::vector<std::set<std::uint32_t>> ByBlock(const std::set<std::uint32_t>& accesses) const;
  // Of those of them whose addresses depend on no branch, asked for by all lanes.
  address::LaunchEvaluation EvaluateStraight(const std::set<std::uint32_t>& accesses,
                                             const address::LaunchValues& values,
                                             const address::EvaluationLimits& limits) const;

 private:
  std::set<std::uint32_t> Here(const std::set<std::uint32_t>& accesses) const;

  const ptx::Function function_;
  const ptx::ControlFlow flow_;
  std::optional<address::Program> program_;
  std::vector<std::uint32_t> own_;  // by instruction: its number in the function, or kNone
};

}  // namespace coalcheck::findings

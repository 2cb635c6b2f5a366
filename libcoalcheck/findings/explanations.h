// SPDX-License-Identifier: Apache-2.0
//
// Explains the addresses of one function's accesses: evaluates its PTX with the arguments of the
// launches that were counted, and holds the result against the counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/aggregate.h"
#include "libcoalcheck/findings/explanation.h"
#include "libcoalcheck/findings/formula_facts.h"

namespace coalcheck::findings {

class Explanations {
 public:
  // `function` and what `modules` reads must outlive it. `counted`: what was counted of the
  // function. `steps`: what evaluating may cost, counted down.
  Explanations(const cubin::Function& function, address::PtxModules& modules,
               const FunctionAggregate& counted, std::uint64_t& steps);

  // Of the access at `pc`, in launches with that block if there are any. What is not evaluated is
  // explained by its formula.
  Explanation At(PcOffset pc, const std::optional<recording::Dim3>& block) const;

  const address::AccessFormulas& formulas() const { return formulas_; }

 private:
  // A kernel with what it calls, as the evaluator takes it.
  struct CalledKernel {
    explicit CalledKernel(ptx::Function inlined)
        : function(std::move(inlined)), flow(function), program(function, flow) {}
    const ptx::Function function;
    const ptx::ControlFlow flow;
    const address::Program program;
  };
  void AddCounts(const cubin::Function& function, const FunctionAggregate& counted);
  void AddTo(CountsOfPtx& counted, const cubin::GlobalAccess& access,
             const RawCounts& counts) const;
  void ExplainLaunch(const cubin::Function& function, const CountedLaunch& launch,
                     std::uint64_t& steps);
  // Null where `name` cannot be evaluated, and `nothing_` says why.
  const CalledKernel* KernelOf(const std::string& name);
  // Its accesses that are instructions of the function, numbered as there.
  address::LaunchEvaluation Evaluate(const CalledKernel& kernel,
                                     const address::LaunchValues& values,
                                     const address::EvaluationLimits& limits) const;
  address::LaunchEvaluation EvaluateAlone(const CountsOfPtx& counted,
                                          const address::LaunchEvaluation& evaluation,
                                          const address::LaunchValues& values,
                                          std::uint64_t& steps) const;
  // `origins`: the function that what is unknown stands in.
  void AddFact(const address::EvaluatedAccess& access, const ptx::Function& origins,
               const CountsOfPtx& counted, const address::LaunchEvaluation& evaluation,
               Explanation& explanation) const;
  patterns::AddressFact FactOf(const address::EvaluatedAccess& access, const CountsOfPtx& counted,
                               const address::LaunchEvaluation& evaluation) const;
  const Explanation& Evaluated(std::uint32_t instruction,
                               const std::optional<recording::Dim3>& block) const;

  struct Launch {
    recording::Dim3 block;
    std::map<std::uint32_t, Explanation> explanations;  // by instruction of the PTX
  };
  address::PtxModules& modules_;
  const address::AccessFormulas formulas_;
  std::map<std::string, std::unique_ptr<const CalledKernel>> kernels_;  // null: cannot be evaluated
  CountsOfPtx counted_;                                                 // of all windows
  std::vector<Launch> launches_;
  Explanation nothing_;
};

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// Explains the addresses of one function's accesses: evaluates its PTX with the arguments of the
// launches that were counted, and holds the result against the counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/explaining/called_kernel.h"
#include "libcoalcheck/findings/explaining/formula_facts.h"
#include "libcoalcheck/findings/explaining/launch_trials.h"
#include "libcoalcheck/findings/explaining/predicted_launches.h"
#include "libcoalcheck/findings/explanation.h"
#include "libcoalcheck/findings/sums/aggregate.h"

namespace coalcheck::findings {

// What evaluating the kernels of a report may still cost, in steps of warps.
struct StepsLeft {
  std::uint64_t launches = 0;  // as they were
  std::uint64_t moves = 0;     // as they would be
  // Counted launches that are still to be evaluated.
  std::uint64_t to_evaluate = 0;
  std::uint64_t uncounted = 0;  // for launches that were not counted

  // Of most launches a small part is enough: any may take some more than an equal one.
  std::uint64_t ShareOfLaunch() const {
    constexpr std::uint64_t kMostShares = 16;
    return launches / std::clamp<std::uint64_t>(to_evaluate, 1, kMostShares);
  }
};

class Explanations {
 public:
  // `function` and what `modules` reads must outlive it. `counted`: what was counted of the
  // function. `steps`: counted down.
  Explanations(const cubin::Function& function, address::PtxModules& modules,
               const FunctionAggregate& counted, StepsLeft& steps);

  // Of the access at `pc`, in launches whose requests are like those of `variant` if one of them
  // was evaluated, else in others; null: in any. What is not evaluated is explained by its formula.
  Explanation At(PcOffset pc, const Variant* variant = nullptr) const;

  const address::AccessFormulas& formulas() const { return formulas_; }
  // Of the formulas, of reading the kernels with what they call, and of comparing accesses, in the
  // same unit.
  std::uint64_t work() const;
  // Of the launches that were evaluated, where all had the same; null where they differ, or none
  // was.
  const address::LaunchValues* values() const { return values_ ? &*values_ : nullptr; }
  // Null where no launch was counted by itself.
  const TriedLaunch* tried() const { return tried_ ? &*tried_ : nullptr; }
  // Launches that were not counted.
  const std::vector<PredictedGroup>& uncounted() const { return uncounted_; }

 private:
  struct Launch {
    recording::Dim3 block;
    std::map<PcOffset, RawCounts> counts;
    bool is_predicted = false;
    std::map<std::uint32_t, Explanation> explanations;  // by instruction of the PTX
  };
  void AddCounts(const cubin::Function& function, const FunctionAggregate& counted);
  void AddTo(CountsOfPtx& counted, const cubin::GlobalAccess& access,
             const RawCounts& counts) const;
  void ExplainLaunch(const cubin::Function& function, const CountedLaunch& launch,
                     StepsLeft& steps);
  // Null where its PTX is not there; `nothing_` says so then.
  const CalledKernel* KernelOf(const std::string& name);
  Explanation Judge(std::uint32_t instruction, const CalledKernel& kernel,
                    const CountsOfPtx& counted, const address::LaunchEvaluation& evaluation,
                    std::optional<Launches> launches) const;
  void JudgeRest(const CalledKernel& kernel, const CountsOfPtx& counted, Launches launches,
                 const address::LaunchValues& values, StepsLeft& left, Launch& result) const;
  std::map<std::uint32_t, std::uint32_t> LinesOf(const cubin::Function& function) const;
  // Lets the predictor learn from a launch that was judged.
  void Learn(const CountedLaunch& launch, const CountsOfPtx& counted,
             const address::LaunchEvaluation& evaluation, const Launch& judged);
  // On the first launch that has arguments, else on none.
  void Try(const CountedLaunch& launch, const CountedKernel& kernel, std::uint64_t& steps);
  struct Chosen {
    Explanation explanation;
    bool is_alike = true;  // the launch's requests are like the variant's, or there is no variant
  };
  // Whether requests of the launch ask for as much as the variant's.
  static bool IsLike(const Launch& launch, PcOffset pc, const Variant* variant);
  // Of the launch that is like the variant, else of one with its block, else of any. The shapes of
  // all launches that are like it are joined.
  Chosen Evaluated(std::uint32_t instruction, PcOffset pc, const Variant* variant) const;

  address::PtxModules& modules_;
  const address::AccessFormulas formulas_;
  std::map<std::string, std::unique_ptr<const CalledKernel>> kernels_;  // null: without PTX
  CountsOfPtx counted_;                                                 // of all windows
  std::vector<Launch> launches_;
  Explanation nothing_;
  std::optional<TriedLaunch> tried_;  // the moves only where sectors are wasted
  std::optional<address::LaunchValues> values_;
  std::optional<LaunchPredictor> predictor_;  // only where there are launches to predict
  std::vector<PredictedGroup> uncounted_;
  std::set<PcOffset> special_;  // counted accesses of instructions that nothing here follows
  bool has_strays_ = false;     // accesses were counted whose instruction of the PTX is not known
};

}  // namespace coalcheck::findings

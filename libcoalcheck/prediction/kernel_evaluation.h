// SPDX-License-Identifier: Apache-2.0
//
// Runs the warps of one kernel's launches, those that are known or examples, and notes what each
// access asks for.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <vector>

#include "libcoalcheck/address/program.h"
#include "libcoalcheck/prediction/kernel_prediction.h"
#include "libcoalcheck/prediction/launch_prediction.h"

namespace coalcheck::prediction {

struct LaunchToRun {
  address::LaunchValues values;
  bool is_example = false;
  double times = 1;

  Walk FirstWalk() const { return is_example ? Walk::kExample : Walk::kBlocks; }
};

class KernelPrediction::Evaluation {
 public:
  Evaluation(KernelPrediction& result, const address::AccessFormulas& formulas,
             address::PtxModules& modules, const LaunchesToPredict& known);

  const ptx::Function& function() const { return formulas_.function(); }
  bool is_too_large() const;
  std::vector<address::Extent> Examples() const;
  std::optional<address::Extent> Block() const;
  void Run(const LaunchToRun& launch);

  // Rounds of loops that were not run may ask for more, or less, where addresses do not follow them
  // step by step; so may threads of other launches than the examples.
  void AllowForWhatWasNotRun();
  // Judges accesses that no warp came to, though one may: whole warps are taken to ask for them.
  void JudgeByFormula();

  // What launches refer to lives as long as the evaluation.
  const KnownArguments& Keep(KnownArguments arguments);

 private:
  LaunchPrediction Predict(const address::Program& program, const LaunchToRun& launch, Walk walk,
                           std::uint64_t steps);

  // Blocks and warps of larger launches, where they are far from what those of the example do.
  void AddFar(const LaunchPrediction& near, const LaunchToRun& launch);
  // A grid of one block, which is the first.
  void AddSingle(LaunchToRun launch);
  void Give(const LaunchPrediction& one, const LaunchToRun& launch);
  // Empty where the formula says too little in one of the launches.
  std::optional<PredictedSums> ByFormula(std::uint32_t instruction) const;
  std::uint64_t* LeftForLong(const LaunchToRun& launch) const;

  // Runs the launch again with more steps than most kernels need. False where fewer are left than
  // it may take.
  bool RunLonger(const LaunchToRun& launch, LaunchPrediction& one);
  // Adds accesses that warps come to in later rounds of a loop alone, as where it fills a stack
  // first.
  void RunFarther(const LaunchToRun& launch, LaunchPrediction& one);

  void AllowForWhatWasNotRunIn(const address::FunctionFormulas& formulas);

  // Of the kernel's own accesses.
  std::vector<std::uint32_t> MissingIn(const LaunchPrediction& whole) const;

  // Those that the launch may come to all the same; `whole` is what came of it.
  std::vector<std::uint32_t> WithoutRuledOut(std::vector<std::uint32_t> accesses,
                                             const LaunchPrediction& whole,
                                             const LaunchToRun& launch);

  // `is_cut`: what comes behind the end of its warps may waste what they did not.
  void TakeAll(const ptx::Function& function, const LaunchPrediction& one,
               const LaunchToRun& launch, bool is_cut = false);
  // `is_short`: rounds were left out, so that nobody knows how much it counts beside other
  // launches.
  PredictedSums& Take(const ptx::Function& function, std::uint32_t instruction,
                      const AccessRange& range, const LaunchToRun& launch, bool is_short = false);

  // The kernel's own accesses that its run did not come to.
  void RunAlone(const LaunchPrediction& whole, const LaunchToRun& launch);

  KernelPrediction& result_;
  const address::AccessFormulas& formulas_;
  const LaunchesToPredict& known_;
  const ptx::Function inlined_;
  const ptx::ControlFlow flow_;
  const address::Program program_;
  std::vector<std::uint32_t> own_;  // accesses of the kernel itself
  UniformLoads uniform_;
  std::vector<address::LaunchValues> launches_;  // that were evaluated
  std::list<KnownArguments> arguments_;          // which those refer to
  std::set<std::uint32_t> missing_;              // accesses that a launch may come to all the same
  bool has_later_rounds_ = false;                // than those that were run
  bool has_examples_ = false;                    // among the launches
};

}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// What a kernel, and the functions that it calls, ask for: in the launches that are known, or else
// in some that stand for all possible ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/given_launch.h"
#include "libcoalcheck/prediction/known_launches.h"
#include "libcoalcheck/prediction/launch_arguments.h"
#include "libcoalcheck/prediction/predicted_sums.h"

namespace coalcheck::prediction {

// What is known of a kernel's launches.
struct LaunchesToPredict {
  const LaunchesOfKernel* launches = nullptr;  // null: nothing
  std::vector<std::string> parameter_names;    // in the source; empty where they are not known
  // Steps that all kernels together may take beyond what most of them need, counted down; null:
  // none.
  std::uint64_t* left_for_long = nullptr;
  std::uint64_t* left_for_long_launches = nullptr;  // of launches that are known
};

class KernelPrediction {
 public:
  // Of `kernel`, whose formulas these are. `modules` finds the functions that it calls.
  KernelPrediction(const cubin::Function& kernel, const address::AccessFormulas& formulas,
                   address::PtxModules& modules, const LaunchesToPredict& known);

  const std::string& kernel() const { return kernel_; }
  // Null for what no warp came to. By where the opcode stands in the PTX, which is the same for all
  // copies of an instruction; instructions of another text are never found.
  const PredictedSums* Find(const ptx::Instruction& instruction) const;
  // Whether the kernel, or what it calls, holds that access.
  bool Holds(const ptx::Instruction& instruction) const;
  // All that it holds, by where their opcodes stand in the PTX.
  const std::set<const char*>& held() const { return held_; }
  const std::vector<ptx::Parameter>& parameters() const { return parameters_; }
  // The names that parameters have in the source; empty where they are not known.
  const std::vector<std::string>& parameter_names() const { return parameter_names_; }
  // Offsets of parameters that are taken for pointers.
  const std::vector<std::uint32_t>& pointers() const { return pointers_; }
  // Whether nothing was evaluated, as the kernel is too large.
  bool is_too_large() const { return is_too_large_; }
  // Whether it calls functions that are not followed.
  bool calls_unseen() const { return calls_unseen_; }
  // Of its launches, as far as they are alike.
  const std::optional<address::Extent>& block() const { return block_; }
  // A measure of the time that it took: steps of its warps, and what symbols took, as measured.
  std::uint64_t steps() const { return steps_ + kStepsOfSymbol * symbols_; }
  // What is wrong with launches that do not fit the kernel.
  const std::vector<std::string>& problems() const { return problems_; }
  // Launches of which all is known that decides addresses, the first few.
  const std::vector<GivenLaunch>& given() const { return given_; }
  // The launches that it holds for, each once: "block 32x8x1, grid 128x512x1"; empty: all.
  const std::vector<std::string>& assumed() const { return assumed_; }
  // Whether a comment in the source names a launch that was run.
  bool is_by_comment() const { return is_by_comment_; }

 private:
  class Evaluation;
  void Note(const KnownLaunch& launch, const KnownArguments& arguments);
  void AddProblem(const KnownLaunch& launch, const std::string& why);
  void RunExamples(Evaluation& evaluation);
  // False where nothing is left of it that fits the kernel.
  bool RunKnown(const KnownLaunch& launch, Evaluation& evaluation);

  std::string kernel_;
  std::vector<ptx::Parameter> parameters_;
  std::vector<std::string> parameter_names_;
  std::vector<std::uint32_t> pointers_;
  std::map<const char*, PredictedSums> sums_;
  std::set<const char*> held_;
  std::vector<std::string> problems_;
  std::vector<std::string> assumed_;
  bool is_by_comment_ = false;
  std::vector<GivenLaunch> given_;
  bool is_too_large_ = false;
  bool calls_unseen_ = false;
  std::optional<address::Extent> block_;
  static constexpr std::uint64_t kStepsOfSymbol = 16;
  std::uint64_t steps_ = 0;
  std::uint64_t symbols_ = 0;
};

// The block that all of them are; where they differ, one that stands for all blocks that are a
// whole number of warps wide; empty where one of them is not, and without any.
std::optional<address::Extent> CommonBlock(const std::vector<address::Extent>& blocks);

}  // namespace coalcheck::prediction

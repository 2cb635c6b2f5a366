// SPDX-License-Identifier: Apache-2.0
//
// What a kernel, and the functions that it calls, ask for: in the launches that are known, or else
// in some that stand for all possible ones.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/known_launches.h"
#include "libcoalcheck/prediction/launch_prediction.h"

namespace coalcheck::prediction {

// Of one instruction of the PTX, over all its copies.
struct PredictedSums {
  address::Sums least;  // of the launch, or the possible one, that wastes least
  address::Sums most;
  double lanes_open = 0;               // requests in which lanes differ by what is not known
  std::set<std::uint32_t> parameters;  // offsets of those in addresses that are not known
  bool has_variables = false;          // addresses begin at variables of the module
  std::set<std::uint32_t> ptx_lines;   // of instructions that load what is in addresses
};

// What is known of a kernel's launches.
struct LaunchesToPredict {
  const LaunchesOfKernel* launches = nullptr;  // null: nothing
  std::vector<std::string> parameter_names;    // in the source; empty where they are not known
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
  const std::vector<ptx::Parameter>& parameters() const { return parameters_; }
  // In the source; empty where they are not known.
  const std::vector<std::string>& parameter_names() const { return parameter_names_; }
  // Offsets of parameters that are taken for pointers.
  const std::vector<std::uint32_t>& pointers() const { return pointers_; }
  // Whether nothing was evaluated, as the kernel is too large.
  bool is_too_large() const { return is_too_large_; }
  // Of launches that do not fit it.
  const std::vector<std::string>& problems() const { return problems_; }
  // The launches that it holds for: "block 32x8x1, grid 128x512x1"; empty: all.
  const std::string& assumed() const { return assumed_; }

 private:
  class Evaluation;
  void Note(const KnownLaunch& launch);
  void AddProblem(const KnownLaunch& launch, const std::string& why);
  void RunExamples(Evaluation& evaluation);
  void RunKnown(const KnownLaunch& launch, Evaluation& evaluation);

  std::string kernel_;
  std::vector<ptx::Parameter> parameters_;
  std::vector<std::string> parameter_names_;
  std::vector<std::uint32_t> pointers_;
  std::map<const char*, PredictedSums> sums_;
  std::set<const char*> held_;
  std::vector<std::string> problems_;
  std::string assumed_;
  bool is_too_large_ = false;
};

}  // namespace coalcheck::prediction

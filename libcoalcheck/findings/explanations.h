// SPDX-License-Identifier: Apache-2.0
//
// Explains the addresses of one function's accesses: evaluates its PTX with the arguments of the
// launches that were counted, and holds the result against the counts.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/address/formula_lanes.h"
#include "libcoalcheck/address/formula_words.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/counted_launch.h"
#include "libcoalcheck/findings/explanation.h"
#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::findings {

// Where a cubin's PTX texts are read once each.
class PtxModules {
 public:
  // Of the text that `function`'s accesses are of; null when it carries none.
  const ptx::Module* Of(const cubin::Function& function);
  void Forget() { modules_.clear(); }

 private:
  absl::flat_hash_map<const char*, std::unique_ptr<ptx::Module>> modules_;  // by where it begins
};

class Explanations {
 public:
  // `function` and what `modules` reads must outlive it. `launches`: what was counted of the
  // function. `steps`: what evaluating may cost, counted down.
  Explanations(const cubin::Function& function, PtxModules& modules,
               const std::vector<CountedLaunch>& launches, std::uint64_t& steps);

  // Of the access at `pc`, in launches with that block if there are any. Never null for an access
  // of the function.
  const Explanation* At(PcOffset pc, const std::optional<recording::Dim3>& block) const;

  // The function's PTX; null when it has none.
  const address::Program* program() const { return program_ ? &*program_ : nullptr; }
  // The address as a formula, in words; empty where there is none.
  std::string FormulaAt(PcOffset pc, const address::FormulaNames& names) const;
  // How it differs between lanes, in words.
  std::string LanesAt(PcOffset pc, Bytes width, const address::FormulaNames& names) const;
  // The instruction of the PTX that the access at `pc` was made of; ptx::kNone when it is unknown.
  std::uint32_t InstructionAt(PcOffset pc) const;

 private:
  // Of the counted launches; those of one PTX instruction are added up.
  struct Counted {
    Counts counts;
    Bytes width;
    cubin::AccessKind kind = cubin::AccessKind::kLoad;
  };
  using ByInstruction = std::map<std::uint32_t, Counted>;

  void JoinWithPtx(const cubin::Function& function);
  void ExplainLaunch(const cubin::Function& function, const CountedLaunch& launch,
                     std::uint64_t& steps);
  Explanation Explain(std::uint32_t instruction, const Counted& counted, const ByInstruction& all,
                      const CountedLaunch& launch, const address::LaunchEvaluation& evaluation);
  patterns::AddressFact FactOf(const address::EvaluatedAccess& access, const Counted& counted,
                               const ByInstruction& all,
                               const address::LaunchEvaluation& evaluation) const;

  struct Launch {
    recording::Dim3 block;
    std::map<std::uint32_t, Explanation> explanations;  // by instruction of the PTX
  };
  std::optional<address::Program> program_;
  std::optional<address::FunctionFormulas> formulas_;
  std::optional<address::FormulaLanes> lanes_;
  std::string why_not_;  // there is no program, or none of an access
  std::map<PcOffset, std::uint32_t> instructions_;
  std::vector<Launch> launches_;
  Explanation nothing_;
};

}  // namespace coalcheck::findings

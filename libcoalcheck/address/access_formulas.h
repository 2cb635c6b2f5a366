// SPDX-License-Identifier: Apache-2.0
//
// The addresses of a compiled function's accesses as formulas: its machine instructions joined with
// its PTX by the line table.
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
#include "libcoalcheck/address/formula_loads.h"
#include "libcoalcheck/address/formula_words.h"
#include "libcoalcheck/address/function_formulas.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::address {

// Reads each PTX text of a cubin once.
class PtxModules {
 public:
  // The module that `function` was compiled from; null when the cubin holds no PTX of it.
  const ptx::Module* Of(const cubin::Function& function);
  // The module with the compiled function of that name in `cubin`; null when there is none.
  const ptx::Module* Of(std::string_view name);
  // Reads the texts of this cubin from now on; null: of none.
  void Turn(const cubin::Cubin* cubin) {
    modules_.clear();
    compiled_.reset();
    cubin_ = cubin;
  }

 private:
  void NoteLoads(const cubin::Function& function, ptx::Module& module);

  const cubin::Cubin* cubin_ = nullptr;
  // The cubin's functions, by where their text begins; empty until one is asked for.
  std::optional<absl::flat_hash_map<const char*, std::vector<const cubin::Function*>>> compiled_;
  absl::flat_hash_map<const char*, std::unique_ptr<ptx::Module>> modules_;  // by where it begins
};

class AccessFormulas {
 public:
  // `modules` and what it reads must outlive it.
  AccessFormulas(const cubin::Function& function, PtxModules& modules);
  AccessFormulas(const AccessFormulas&) = delete;
  AccessFormulas& operator=(const AccessFormulas&) = delete;

  // Why there are no formulas, as a clause; empty where there are some.
  const std::string& why_not() const { return why_not_; }
  // May be called only where why_not() is empty; so may the next four.
  const ptx::Function& function() const { return code_->function; }
  const ptx::ControlFlow& flow() const { return code_->flow; }
  // With the functions that it calls.
  const ptx::Module& module() const { return *code_->module; }
  const FunctionFormulas& formulas() const { return code_->formulas; }

  // How many terms were looked at to make the formulas; reading the function counts as some, too.
  std::uint64_t work() const;

  // The instruction of the PTX that the access at `pc` was made of; ptx::kNone when it is unknown.
  std::uint32_t InstructionAt(PcOffset pc) const;
  // The access whose statement is at that place of the module's text; ptx::kNone where the function
  // has none there.
  std::uint32_t InstructionWith(std::string_view text) const;
  // The address of an access, by the number of its instruction. Null where there is no formula, or
  // a part of it is unknown.
  const Formula* Of(std::uint32_t instruction) const;
  // kNotKnown where there is no formula.
  LanePart LanesOf(std::uint32_t instruction) const;
  // The instructions whose loaded values a formula of the function depends on.
  std::vector<std::uint32_t> LoadsIn(const Formula& formula) const {
    return code_->loads.In(formula);
  }

  // The address of the access at `pc` in words, and how it differs between lanes; empty where there
  // is no formula. `width` of the access.
  std::string WordsAt(PcOffset pc, const FormulaNames& names) const;
  std::string LaneWordsAt(PcOffset pc, Bytes width, const FormulaNames& names) const;

 private:
  struct Code {
    Code(const ptx::Module& from, const ptx::Module::Entry& entry)
        : module(&from),
          function(from.Read(entry)),
          flow(function),
          formulas(function, flow),
          lanes(formulas),
          loads(formulas) {}
    const ptx::Module* module;
    const ptx::Function function;
    const ptx::ControlFlow flow;
    const FunctionFormulas formulas;
    const FormulaLanes lanes;
    const FormulaLoads loads;
  };
  void Join(const cubin::Function& function);

  std::unique_ptr<Code> code_;
  std::string why_not_;
  std::map<PcOffset, std::uint32_t> instructions_;
  absl::flat_hash_map<const char*, std::uint32_t> by_text_;  // by where their opcodes stand
};

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// Which loaded values an address depends on, read off its formula.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/address/few_numbers.h"
#include "libcoalcheck/address/function_formulas.h"

namespace coalcheck::address {

// Of all formulas of a function, which has to outlive it.
class FormulaLoads {
 public:
  explicit FormulaLoads(const FunctionFormulas& formulas);

  // The instructions that load them, ascending: those in the formula, in what loops carry, and in
  // the conditions that decide how many rounds a loop has. Not those of the addresses of loads. The
  // first of them where they are more than FewNumbers::kMost.
  std::vector<std::uint32_t> In(const Formula& formula) const { return Of(formula).numbers(); }
  // Atoms and terms that were looked at, as a measure of the time.
  std::uint64_t work() const { return work_; }

 private:
  FewNumbers Of(const Formula& formula) const { return UnionOver(formula, loads_); }
  bool Update(AtomId id);

  const FunctionFormulas& formulas_;
  std::vector<FewNumbers> loads_;  // by atom
  std::uint64_t work_ = 0;
};

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// What an evaluated launch says of the addresses of its accesses, as patterns want it.
#pragma once

#include <cstddef>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/findings/explaining/formula_facts.h"
#include "libcoalcheck/findings/explanation.h"
#include "libcoalcheck/ptx/module.h"

namespace coalcheck::findings {

// Every pair of accesses is compared: functions with more of them keep their siblings to
// themselves.
inline constexpr std::size_t kMostPaired = 1024;

class FactsOfLaunch {
 public:
  // All have to outlive it. `kernel`: the function that what is unknown stands in. `counted` and
  // `evaluation` are numbered as `formulas`.
  FactsOfLaunch(const address::AccessFormulas& formulas, const ptx::Function& kernel,
                const CountsOfPtx& counted, const address::LaunchEvaluation& evaluation)
      : formulas_(formulas), kernel_(kernel), counted_(counted), evaluation_(evaluation) {}

  void AddTo(const address::EvaluatedAccess& access, Explanation& explanation) const;

 private:
  patterns::AddressFact FactOf(const address::EvaluatedAccess& access) const;

  const address::AccessFormulas& formulas_;
  const ptx::Function& kernel_;
  const CountsOfPtx& counted_;
  const address::LaunchEvaluation& evaluation_;
};

}  // namespace coalcheck::findings

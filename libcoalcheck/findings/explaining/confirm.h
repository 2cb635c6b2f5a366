// SPDX-License-Identifier: Apache-2.0
//
// Compares one evaluated access with the counts of the same launches.
#pragma once

#include <string>

#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/findings/explanation.h"

namespace coalcheck::findings {

// Evaluated and counted sectors per request agree within this share where blocks were chosen, or
// where the compiler kept fewer instructions than the PTX has.
inline constexpr double kAgreement = 0.01;

struct Verdict {
  Standing standing = Standing::kNotEvaluated;
  std::string why;
  bool totals_held = false;
  bool agrees = true;  // of kNotEvaluated: what could be evaluated does not contradict the counts
};

// Whether chosen blocks differ so little that it is no chance if they agree with the counts.
bool IsSure(const address::EvaluatedAccess& access);

// Whether loaded values decide an address, or which lanes are active.
bool IsOfData(const address::EvaluatedAccess& access);

// `counted`: over all machine instructions that the access became, of `launches` launches.
// `width`: of a lane.
// `access`: null when no evaluated block reaches it.
Verdict Confirm(const Counts& counted, Bytes width, Launches launches,
                const ptx::Function& function, const address::LaunchEvaluation& evaluation,
                const address::EvaluatedAccess* access);

// For an access that was evaluated alone, with all lanes active: the counted lanes must be all,
// too. `access`: null where that could not be done.
Verdict ConfirmAlone(const Counts& counted, const address::EvaluatedAccess* access);

}  // namespace coalcheck::findings

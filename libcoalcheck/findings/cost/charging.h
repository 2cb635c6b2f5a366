// SPDX-License-Identifier: Apache-2.0
//
// Gives the sampled time to the accesses that caused it, or to a named row.
#pragma once

#include <cstddef>
#include <map>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sources/code.h"
#include "libcoalcheck/findings/sums/sampled.h"

namespace coalcheck::findings {

// Sets `report.cost` and the costs of its accesses; leaves them empty where nothing was sampled.
// The counts of the accesses must be there: they say which of several loads a warp waited for most.
void ChargeSamples(const Sampled& sampled, Code& code, Report& report);

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// Hands the launches that were not counted to the code that they ran.
#pragma once

#include "libcoalcheck/findings/sums/aggregate.h"

namespace coalcheck::findings {

// When all runs were added. Launches of a kernel are passed over where several cubins hold counts
// of one of that name, or where they are more than were seen and not counted.
void GiveUncounted(Aggregate& aggregate);

}  // namespace coalcheck::findings

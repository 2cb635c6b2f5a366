// SPDX-License-Identifier: Apache-2.0
//
// What each of several recordings says of an access.
#pragma once

#include <vector>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sums/aggregate.h"

namespace coalcheck::findings {

// Fills the parts of the accesses, and what their instructions count apart. Nothing to do where one
// recording has all.
void GiveParts(const Aggregate& aggregate, std::vector<Access>& accesses);

}  // namespace coalcheck::findings

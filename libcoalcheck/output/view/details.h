// SPDX-License-Identifier: Apache-2.0
//
// Everything about a finding beyond its first lines.
#pragma once

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/view/detail.h"

namespace coalcheck::output {

// The kernel, the counts and the cause. `access`: the worst of the place.
Details DetailsOf(const findings::Report& report, const findings::Place& place,
                  const findings::Access& access);

// For which launches it was predicted; none where it was counted.
Details AssumedDetails(const findings::Access& access);

// What the change takes that was tried and helps.
Details NeedsDetails(const findings::Report& report, const findings::Place& place);

// Changes that were tried and help, or do not; else a suggestion that usually helps.
Details ChangeDetails(const findings::Report& report, const findings::Place& place);

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// From sums over the ranks to what a report says of them.
#pragma once

#include <optional>
#include <vector>

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/merging/job_book.h"

namespace coalcheck::findings {

// Empty where no process has a rank. `accesses` in the order in which they are reported.
std::optional<Job> MakeJob(merging::JobBook book, const std::vector<Access>& accesses);

}  // namespace coalcheck::findings

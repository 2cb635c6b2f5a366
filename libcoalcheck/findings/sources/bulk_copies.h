// SPDX-License-Identifier: Apache-2.0
//
// Where a function has the tensor memory accelerator move data.
#pragma once

#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/findings/sources/attribution.h"

namespace coalcheck::findings {

// Adds a row for each of the function's source lines that holds a bulk copy.
void AddBulkCopies(const cubin::Function& function, const SourceView& source,
                   std::vector<BulkCopies>& rows);

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// From compiled code to a report of what its accesses will cost: the same model as a run's.
#pragma once

#include "libcoalcheck/findings/making/make_report.h"
#include "libcoalcheck/prediction/held_code.h"

namespace coalcheck::prediction {

// Fills Report::prediction, and each access's `predicted`.
findings::Report PredictReport(const HeldCode& code, const findings::SourceView& source,
                               const findings::Policy& policy);

}  // namespace coalcheck::prediction

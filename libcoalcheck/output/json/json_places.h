// SPDX-License-Identifier: Apache-2.0
//
// The places of a report as JSON: what a later run can be compared with.
#pragma once

#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/json_document.h"

namespace coalcheck::output {

// As "places".
void AddPlaces(const findings::Report& report, JsonDocument& json);

}  // namespace coalcheck::output

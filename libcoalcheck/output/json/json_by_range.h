// SPDX-License-Identifier: Apache-2.0
//
// The findings of each NVTX range in the JSON report.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// An array with an object for each group of `report`; empty when it was not grouped.
nlohmann::ordered_json ByRangeJson(const findings::Report& report);

}  // namespace coalcheck::output

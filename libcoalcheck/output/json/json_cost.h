// SPDX-License-Identifier: Apache-2.0
//
// Time in the JSON report.
#pragma once

#include <nlohmann/json.hpp>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// null where nothing was sampled.
nlohmann::ordered_json AccessCostJson(const findings::Report& report,
                                      const findings::Access& access);
// What the repair of all accesses of a place could save of their kernels' time.
nlohmann::ordered_json PlaceGainJson(const findings::Report& report, const findings::Place& place);
nlohmann::ordered_json ProgramCostJson(const findings::Report& report);

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// The places of a report as JSON: what a later run can be compared with.
#pragma once

#include <nlohmann/json.hpp>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

nlohmann::ordered_json PlacesJson(const findings::Report& report);

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// An access's patterns as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

nlohmann::ordered_json PatternsJson(const std::vector<patterns::Share>& shares,
                                    const findings::CountersPresent& present);

}  // namespace coalcheck::output

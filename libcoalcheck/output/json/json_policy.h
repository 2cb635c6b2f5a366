// SPDX-License-Identifier: Apache-2.0
//
// What a baseline and suppressions did to the verdict, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Null where there is none.
nlohmann::ordered_json ExcuseJson(const std::optional<findings::Excuse>& excuse);
nlohmann::ordered_json BaselineJson(const findings::Report& report);

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a job in the JSON report.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Null where no process has a rank.
nlohmann::ordered_json JobJson(const findings::Report& report);

}  // namespace coalcheck::output

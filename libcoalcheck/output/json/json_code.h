// SPDX-License-Identifier: Apache-2.0
//
// What the code says, in the JSON report: addresses, and local memory.
#pragma once

#include <nlohmann/json.hpp>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// null where the PTX says nothing.
nlohmann::ordered_json AddressJson(const findings::Instruction& instruction);

// One row for each line of a function with counts.
nlohmann::ordered_json LocalMemoryJson(const findings::Report& report);
nlohmann::ordered_json BulkCopiesJson(const findings::Report& report);

}  // namespace coalcheck::output

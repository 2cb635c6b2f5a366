// SPDX-License-Identifier: Apache-2.0
//
// Counts as JSON: those of counters that were not recorded are null, not 0.
#pragma once

#include <nlohmann/json.hpp>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// `quantity` as a number, or null.
nlohmann::ordered_json NumberIf(bool present, auto quantity) {
  return present ? nlohmann::ordered_json(quantity.count()) : nlohmann::ordered_json(nullptr);
}

void AddCounts(const findings::Counts& counts, const findings::CountersPresent& present,
               nlohmann::ordered_json& object);

void AddWaste(const findings::Counts& counts, nlohmann::ordered_json& object);

// Averages over requests; null where nothing can be divided.
nlohmann::ordered_json PerRequestJson(const findings::Counts& counts,
                                      const findings::CountersPresent& present);

}  // namespace coalcheck::output

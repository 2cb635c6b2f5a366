// SPDX-License-Identifier: Apache-2.0
//
// The parts of the JSON report, each of which has a file of its own.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/json_document.h"
#include "libcoalcheck/verdict/verdict.h"

namespace coalcheck::output {

nlohmann::ordered_json AccessJson(const findings::Report& report, const findings::Access& access);

// An array with an object for each group of `report`; empty when it was not grouped.
nlohmann::ordered_json ByRangeJson(const findings::Report& report);

// null where the PTX says nothing.
nlohmann::ordered_json AddressJson(const findings::Instruction& instruction);

// One row for each line of a function with counts.
nlohmann::ordered_json LocalMemoryJson(const findings::Report& report);
nlohmann::ordered_json BulkCopiesJson(const findings::Report& report);

// null where nothing was sampled.
nlohmann::ordered_json AccessCostJson(const findings::Report& report,
                                      const findings::Access& access);
// What the repair of all accesses of a place could save of their kernels' time.
nlohmann::ordered_json PlaceGainJson(const findings::Report& report, const findings::Place& place);
nlohmann::ordered_json ProgramCostJson(const findings::Report& report);

// Null where no process has a rank.
nlohmann::ordered_json JobJson(const findings::Report& report);

nlohmann::ordered_json KernelMovesJson(const findings::KernelMoves& kernel);

// The findings that have one cause: their accesses, by number.
nlohmann::ordered_json CauseJson(const findings::Report& report, const findings::Cause& cause);

// A load that wastes nothing and fetches again.
nlohmann::ordered_json FetchedAgainJson(const findings::FetchedAgain& one);

// Of the access with that number: what to do, what not to, what was not tried; null for none.
nlohmann::ordered_json ChangesJson(const findings::Report& report, std::size_t access);

nlohmann::ordered_json PatternsJson(const std::vector<patterns::Share>& shares,
                                    const findings::CountersPresent& present);

// As "places".
void AddPlaces(const findings::Report& report, JsonDocument& json);

// Null where there is none.
nlohmann::ordered_json ExcuseJson(const std::optional<findings::Excuse>& excuse);
nlohmann::ordered_json BaselineJson(const findings::Report& report);

nlohmann::ordered_json RecordingJson(const findings::RecordingInfo& recording);
nlohmann::ordered_json UnreadableJson(const findings::Unreadable& recording);
nlohmann::ordered_json FindingAloneJson(const findings::FindingAlone& one);
// Null where the program was not started by coalcheck.
nlohmann::ordered_json LaunchJson(const findings::Report& report, const verdict::Verdict& verdict);

}  // namespace coalcheck::output

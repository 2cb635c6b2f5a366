// SPDX-License-Identifier: Apache-2.0
//
// What was tried on each kernel, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

nlohmann::ordered_json KernelMovesJson(const findings::KernelMoves& kernel);

// The findings that have one cause: their accesses, by number.
nlohmann::ordered_json CauseJson(const findings::Report& report, const findings::Cause& cause);

// A load that wastes nothing and fetches again.
nlohmann::ordered_json FetchedAgainJson(const findings::FetchedAgain& one);

// Of the access with that number: what to do, what not to, what was not tried; null for none.
nlohmann::ordered_json ChangesJson(const findings::Report& report, std::size_t access);

}  // namespace coalcheck::output

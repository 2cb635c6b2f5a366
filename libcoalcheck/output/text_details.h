// SPDX-License-Identifier: Apache-2.0
//
// Everything about a finding beyond its first lines.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Sentences, a line each. `access`: the worst of the place.
std::string DetailText(const findings::Report& report, const findings::Place& place,
                       const findings::Access& access);

// For which launches it was predicted; empty where it was counted.
std::string AssumedText(const findings::Access& access);

// What the change takes that was tried and helps, a line; empty for nothing.
std::string NeedsText(const findings::Report& report, const findings::Place& place);

// What was tried and helps, or does not; else what usually helps, as a suggestion.
std::string ChangesText(const findings::Report& report, const findings::Place& place);

}  // namespace coalcheck::output

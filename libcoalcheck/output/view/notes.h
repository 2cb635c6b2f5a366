// SPDX-License-Identifier: Apache-2.0
//
// What the text report says about what was not looked at.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Of one list of notes; how many more there are is said.
inline constexpr std::size_t kMostRows = 10;

// A sentence each. `hidden` findings were kept back by the print limit.
std::vector<std::string> NotesOf(const findings::Report& report, std::size_t hidden = 0);

// Whether sampling alone is why launches were not counted, and some were.
bool IsSampledOnly(const findings::Report& report);

// Of these, what a verdict rests on: the scope, what is missing of the recordings, how their
// programs ended, and filters that fitted nothing.
std::vector<std::string> NotesOnMissing(const findings::Report& report);

}  // namespace coalcheck::output

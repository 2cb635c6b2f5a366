// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a job in lines of the text report.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::output {

// Which ranks recorded, are missing, or differ. Nothing if no process has a rank.
std::vector<std::string> RankNotes(const findings::Report& report);

// Those of them that name missing ranks.
std::vector<std::string> MissingRankNotes(const findings::Report& report);

// One for each access and shape in which ranks differ.
std::vector<std::string> DifferenceNotes(const findings::Report& report);

// One for each rank, where that is asked for.
std::vector<std::string> RankRows(const findings::Report& report);

}  // namespace coalcheck::output

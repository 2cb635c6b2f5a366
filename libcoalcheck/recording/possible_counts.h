// SPDX-License-Identifier: Apache-2.0
//
// Counts that no GPU can have made: a recording that has them was altered or damaged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// Of each counter, in all rows of a window of a merged recording, which may be the sum of many.
inline constexpr std::uint64_t kMostOfASum = std::uint64_t{1} << 63U;

// What is wrong with the first row of the window that is impossible, or with the sum of its rows;
// empty where all is possible. `counters` are the header's: those without a known name are not
// looked at.
std::string WhyImpossible(const Window& window, const std::vector<std::string>& counters);

}  // namespace coalcheck::recording

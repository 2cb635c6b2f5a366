// SPDX-License-Identifier: Apache-2.0
//
// Ranks in words.
#pragma once

#include <string>

#include "libcoalcheck/recording/rank_set.h"

namespace coalcheck::words {

// "rank 3"; "ranks 0-7 and 12". Of many stretches the first ones, and how many ranks there are
// more.
std::string Ranks(const recording::RankSet& ranks);

}  // namespace coalcheck::words

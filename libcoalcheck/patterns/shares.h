// SPDX-License-Identifier: Apache-2.0
//
// The patterns of an access whose instructions or launches differ, each with what it did.
#pragma once

#include <cstddef>
#include <vector>

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/patterns/pattern.h"
#include "libcoalcheck/patterns/waste.h"

namespace coalcheck::patterns {

struct Share {
  Classification pattern;
  Counts counts;  // of all that has this pattern
  Bytes width;    // per lane; 0 when it is not the same for all of it
  Waste waste = Waste::kUnknown;
};

// So many are told apart; the rest is one share of unknown pattern.
inline constexpr std::size_t kMostShares = 16;

// Adds `share` to the one of equal patterns whose parameters meet, and widens those to hold both.
void AddShare(const Share& share, std::vector<Share>& shares);

// Classifies and adds.
void AddEvidence(const Evidence& evidence, std::vector<Share>& shares);

// Joins those that have come to meet since they were added, and puts those that waste most first.
void SettleShares(std::vector<Share>& shares);

}  // namespace coalcheck::patterns

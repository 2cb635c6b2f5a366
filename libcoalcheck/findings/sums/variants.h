// SPDX-License-Identifier: Apache-2.0
//
// The counts of one instruction, apart by what its launches had in common: launches of other shapes
// or with other counts may show another pattern, which a sum would hide.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "libcoalcheck/findings/sums/raw_counts.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::findings {

// Windows with equal blocks and, for each request, equal counts.
struct Variant {
  std::optional<recording::Dim3> block;  // empty when launches of several shapes were inside
  RawCounts counts;
};

// Whether requests of both ask for as much, on average.
bool AreAlike(const Counts& a, const Counts& b);

// So many are told apart; what comes later is added to the last of an equal block, or the last.
inline constexpr std::size_t kMostVariants = 8;

// The block of all launches inside, when they had the same.
std::optional<recording::Dim3> BlockOf(const recording::Window& window);

void AddVariant(const Variant& variant, std::vector<Variant>& variants);

}  // namespace coalcheck::findings

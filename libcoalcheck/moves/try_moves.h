// SPDX-License-Identifier: Apache-2.0
//
// Tries every move on a launch, and says which of them lower its sectors.
#pragma once

#include <cstdint>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// A move counts as helpful when it saves that share of the kernel's sectors.
inline constexpr double kLeastGain = 0.01;

// Why nothing was tried, where that would take too many steps.
inline constexpr const char* kTooLong = "evaluating the kernel again takes longer than it may";
// With fewer steps nothing comes of trying but the time that it takes to prepare it.
inline constexpr std::uint64_t kLeastSteps = 2000;

// Whether it saves nearly as much as the best one, or more.
bool BringsAsMuch(const Move& move, const Move& best);

// `steps`: what all of it may cost, counted down. Where that is not enough to find one that
// helps, it may take as many again.
TriedMoves TryMoves(const Subject& subject, std::uint64_t& steps);

}  // namespace coalcheck::moves

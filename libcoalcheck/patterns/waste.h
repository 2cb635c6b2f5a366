// SPDX-License-Identifier: Apache-2.0
//
// Whether other accesses use the part of its sectors that an access leaves unused.
#pragma once

#include <string_view>

#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

enum class Waste {
  kWasted,          // no access of this kernel uses the rest
  kShared,          // accesses of the same warp do: the group together wastes little
  kLikelyAbsorbed,  // the next round of the loop or the next warp does, while L1 may still hold it
  kUnknown,         // nothing known decides; also where nothing is wasted
};
// "likely_absorbed".
std::string_view ToString(Waste waste);

// A group that wastes less than this share of its sectors shares them.
inline constexpr double kGroupWastedShare = 0.1;
// Bytes of lines that a block may touch in one round of a loop and still find in the next: an
// eighth of the smallest L1 of the supported devices, since other blocks share it.
inline constexpr Bytes kHeldByL1{8192};
// Bytes of lines that a block may touch between one access and its sibling, a few instructions on:
// with all resident warps that is half of the L1 of the larger devices, and over all
// multiprocessors a part of their L2, where stores are merged.
inline constexpr Bytes kHeldForSiblings{16384};

// Judged by the counts, by their `pattern`, and by the code.
Waste JudgeWaste(const Evidence& evidence, const Classification& pattern);

}  // namespace coalcheck::patterns

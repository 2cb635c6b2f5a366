// SPDX-License-Identifier: Apache-2.0
//
// Whether what an access does not use of its sectors is used by somebody else.
#pragma once

#include <string_view>

#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

enum class Waste {
  kWasted,          // nobody in this kernel uses the rest
  kShared,          // accesses of the same warp do: the group together wastes little
  kLikelyAbsorbed,  // the next turn of the loop or the next warp does, while L1 may still hold it
  kUnknown,         // nothing known decides; also where nothing is wasted
};
// "likely_absorbed".
std::string_view ToString(Waste waste);

// A group that wastes less than this share of its sectors shares them.
inline constexpr double kGroupWastedShare = 0.1;
// Bytes of lines that a block may touch in one turn of a loop and find again in the next: an eighth
// of the smallest L1 of the devices supported, as other blocks want theirs.
inline constexpr Bytes kHeldByL1{8192};
// Bytes of lines that a block may touch between one access and its sibling, a few instructions on:
// with all warps that find room, half of the L1 of the larger devices, and on all of their
// multiprocessors a part of their L2, where stores meet.
inline constexpr Bytes kHeldForSiblings{16384};

// Judged by the counts, by `pattern`, which they were given, and by what the code says.
Waste JudgeWaste(const Evidence& evidence, const Classification& pattern);

}  // namespace coalcheck::patterns

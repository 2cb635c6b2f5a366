// SPDX-License-Identifier: Apache-2.0
//
// Which instructions the compiler made of one access in the source by unrolling a loop.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

struct Copy {
  std::uint32_t leader = 0;  // the instruction that all copies are counted as
  std::uint32_t loop = ptx::kNone;
  std::uint32_t number = 0;  // of the copies in that loop
  ArrayAccess array;
  std::uint32_t width = 0;  // bytes of a lane
};

// Of each counted access, by instruction. Copies are of one line, array, kind and width, as far
// apart as a round or the next thread is from all of them together.
std::map<std::uint32_t, Copy> CopiesOf(const Subject& subject);

// Which one each is counted as.
Leaders LeadersOf(const std::map<std::uint32_t, Copy>& copies);

}  // namespace coalcheck::moves

// SPDX-License-Identifier: Apache-2.0
//
// What can be changed about a finding, in words.
#pragma once

#include <string>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::words {

// What was found by trying; all are empty where nothing was tried, or nothing has to be said.
struct MoveWords {
  // "write through a shared tile of 32 x 33 floats: this store 32 -> 4, the load stays at 4"
  std::string fix;
  std::string rejected;   // "swapping threadIdx.x and .y: the load of `in` would go 4 -> 32"
  std::string needs;      // what the fix takes: "4224 bytes of shared memory …"; may be empty
  std::string not_tried;  // a clause: why not everything was tried
  bool helps = false;
  std::size_t tried = 0;      // moves that were tried, and of which none helps this access
  bool helps_others = false;  // one of them helps the kernel
};
// Of the access with that number in Report::accesses.
MoveWords MovesFor(const findings::Report& report, std::size_t access);

// Of one move: what to do.
std::string MoveInWords(const findings::KernelMove& move);

// What it takes beyond a change of indices; empty for nothing.
std::string NeedsOf(const findings::KernelMove& move);

// What the source calls the array that an access is of; empty where its address does not say.
std::string ArrayOf(const findings::Access& access);

// The instantiation of a place that wastes the largest share, by its number.
std::size_t WorstOf(const findings::Report& report, const findings::Place& place);

}  // namespace coalcheck::words

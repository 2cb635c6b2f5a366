// SPDX-License-Identifier: Apache-2.0
//
// How much of a kernel's time the repair of its wasteful accesses could save, from what its warps
// waited for and what its memory had to move. docs/cost.md has the reasoning in words.
#pragma once

#include <cstdint>
#include <optional>

#include "libcoalcheck/base/units.h"

namespace coalcheck::cost {

// Of a kernel's time, 0 to 1 each; `least` is at most `most`.
struct Gain {
  double least = 0;
  double most = 0;
  friend bool operator==(const Gain&, const Gain&) = default;
};
// Below this no gain is to be expected.
inline constexpr double kNoGainBelow = 0.05;

// What a kernel's accesses cost device memory in all launches that were sampled.
struct Traffic {
  Bytes now;       // with what comes along: memory is read in pairs of sectors
  Bytes repaired;  // when every wasteful access touches only what it needs
};

// What an access costs device memory. A sector alone in its half of a line brings the other sector
// of that half along, so lines tell what sectors alone do not.
Bytes MovedFor(Sectors sectors, CacheLines lines);

// How fast a device can be at most.
struct DeviceLimits {
  std::uint32_t multiprocessors = 0;
  double clock_hertz = 0;       // of a multiprocessor
  double bytes_per_second = 0;  // of its memory
  bool Known() const { return multiprocessors > 0 && clock_hertz > 0 && bytes_per_second > 0; }
};

// The bytes that memory could have moved while `sampled` cycles of `multiprocessors` passed: one
// warp of each is noted at a time. 0 where a limit is not known.
Bytes CouldMove(Cycles sampled, std::uint32_t multiprocessors, const DeviceLimits& limits);

// All of one kernel. Shares are of its samples, 0 to 1.
struct KernelUse {
  double work = 0;           // waits for nothing that has to do with memory
  double own_waits = 0;      // waits for sectors that are wasted
  double certain_waits = 0;  // of these, those that grow with each sector
  Traffic traffic;           // of the launches that were sampled
  Bytes could_move;          // in the time they took; 0: not known
};

// What the repair of all of them could save together.
Gain GainOf(const KernelUse& use);

}  // namespace coalcheck::cost

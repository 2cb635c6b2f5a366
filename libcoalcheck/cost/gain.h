// SPDX-License-Identifier: Apache-2.0
//
// How much of a kernel's time the repair of its wasteful accesses could save, from what its warps
// waited for and what it asked of the path to memory. docs/cost-model.md has the derivation.
#pragma once

#include <cstdint>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cost/demand.h"

namespace coalcheck::cost {

// Of a kernel's time, 0 to 1 each; `least` is at most `most`.
struct Gain {
  double least = 0;
  double most = 0;
  friend bool operator==(const Gain&, const Gain&) = default;
};
// Below this no gain is to be expected.
inline constexpr double kNoGainBelow = 0.05;

// How fast a device can be at most.
struct DeviceLimits {
  std::uint32_t multiprocessors = 0;
  double clock_hertz = 0;       // of a multiprocessor
  double bytes_per_second = 0;  // of its memory
  bool Known() const { return multiprocessors > 0 && clock_hertz > 0 && bytes_per_second > 0; }
};

// The most that a device can do in a time.
struct Capacity {
  Cycles busy;       // of the multiprocessors that the kernel ran on
  Cycles device;     // of all
  Bytes moved;       // by its memory
  double looks = 0;  // samples of each multiprocessor; all are sampled at the same moment
  bool Known() const { return busy > Cycles(0) && device > Cycles(0) && moved > Bytes(0); }
  Capacity& operator+=(const Capacity& other);
};

// Of `sampled` cycles of `multiprocessors`: one warp of each is noted every `period`. Nothing where
// a limit is not known.
Capacity CapacityIn(Cycles sampled, Cycles period, std::uint32_t multiprocessors,
                    const DeviceLimits& limits);

// The relative error that a capacity may have: launches much shorter than the period are sampled by
// chance or missed. `launches`: how many were sampled.
double DoubtOf(const Capacity& capacity, double launches);
// From this error on the capacity is not known.
inline constexpr double kMostDoubt = 0.25;

// All of one kernel. Shares are of its samples, 0 to 1.
struct KernelUse {
  double work = 0;           // waits for nothing that has to do with memory
  double own_waits = 0;      // waits for sectors that are wasted
  double certain_waits = 0;  // of these, the waits that grow with every sector
  Demands demands;           // of the launches that were sampled
  double warps = 0;          // of those launches; 0: not known
  Capacity capacity;         // in the time they took
  double doubt = 0;          // of the capacity
  // The share of the sampled cycles in which an instruction was issued.
  double issued = 0;
  // A warp must load an index before it can make its request.
  bool waits_for_index = false;

  bool HasCapacity() const { return capacity.Known() && doubt < kMostDoubt; }
};

// The traffic, as a share of what the memory could have moved.
double MemoryShare(const Demand& demand, const Capacity& capacity);

// What the repair of all of them could save together.
Gain GainOf(const KernelUse& use);

// The part of the path to memory that the repair relieves and that is busiest now; the memory where
// that is not known.
enum class Part { kL1, kL2, kMemory };
Part BusiestRelieved(const KernelUse& use);

// Of what is asked of a part, the share that is not after the repair.
double ReliefOf(const Demands& demands, Part part);

}  // namespace coalcheck::cost

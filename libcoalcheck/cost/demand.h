// SPDX-License-Identifier: Apache-2.0
//
// What requests ask of each part of the path to memory: of L1, of L2 and of the memory itself.
// bench/memory_paths measured what each part takes for a request; docs/cost-model.md explains it.
#pragma once

#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/units.h"

namespace coalcheck::cost {

struct Demand {
  double l1 = 0;  // cycles of one multiprocessor
  double l2 = 0;  // cycles of one, too: its part of what all share
  Bytes read;     // of memory
  Bytes written;

  Bytes Moved() const { return read + written; }
  Demand& operator+=(const Demand& other);
  friend Demand operator*(const Demand& demand, double factor);
};

// As it is, and after the repair.
struct Demands {
  Demand now;
  Demand repaired;
  Demands& operator+=(const Demands& other);
  friend Demands operator*(const Demands& demands, double factor);
};

enum class Direction { kLoad, kStore };  // read-modify-writes go to L2 as stores do

// What becomes of the sectors that a request touches, beside it.
enum class Reuse {
  kNone,
  kOfTheRest,  // other accesses use the rest of the sectors, from L1 (loads) or in L2 (stores)
  kOfAll,      // all blocks load the same, which L1 keeps: no demand on L2 and memory
};

// The demand of an access: on L1 all that it touches, on L2 and memory the sectors that are not
// used again. After the repair it touches what `after` says; without `after`, only its ideal
// sectors.
Demands DemandsOf(const Counts& counts, Direction direction, Reuse reuse,
                  const Counts* after = nullptr);

// What an access costs device memory. A sector alone in its half of a line brings the other sector
// of that half along, so lines tell what sectors alone do not.
Bytes MovedFor(Sectors sectors, CacheLines lines);

}  // namespace coalcheck::cost

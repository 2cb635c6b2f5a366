// SPDX-License-Identifier: Apache-2.0
//
// Which patterns have the same counts: every shape of a full warp, counted by brute force in the
// sector model. Tests hold closed formulas against it, and the documents show what is printed from
// here.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

// Sectors and lines of one request of 32 active lanes.
struct FullCounts {
  Sectors sectors;
  CacheLines lines;
  friend bool operator<(const FullCounts& a, const FullCounts& b) {
    return std::pair(a.sectors.count(), a.lines.count()) <
           std::pair(b.sectors.count(), b.lines.count());
  }
};
// For each pair of counts that a load of that width can have, all patterns that have it.
using CountsTable = std::map<FullCounts, std::vector<Candidate>>;
// `width`: a power of two up to a sector.
CountsTable TabulateCounts(Bytes width);

// One row of the table in the documents: patterns that collide, whatever their parameters.
struct CollisionClass {
  std::vector<Pattern> patterns;
  struct OfWidth {
    Bytes width;
    std::uint64_t pairs = 0;  // of counts
    FullCounts example;       // the first of them
  };
  std::vector<OfWidth> widths;  // ascending
};
// The classes of all widths, those of fewest patterns first.
std::vector<CollisionClass> CollisionClasses();

// How far counts alone tell the step of a strided load of full warps.
struct StepsOfWidth {
  Bytes width;
  std::uint64_t below_sector = 0;  // steps smaller than a sector
  std::uint64_t exact = 0;         // of those, steps that no other has the counts of
  std::uint64_t widest = 0;        // bytes between the ends of the widest interval below a line
};
std::vector<StepsOfWidth> StepsFromCounts();

}  // namespace coalcheck::patterns

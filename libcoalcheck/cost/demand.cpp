// SPDX-License-Identifier: Apache-2.0
//
// The prices of docs/measurements/memory-paths.csv. L1's are the same on the H100 and the H200,
// L2's the H200's: an H100 takes a sixth more.
#include "libcoalcheck/cost/demand.h"

#include <algorithm>

#include "libcoalcheck/base/memory_prices.h"
#include "libcoalcheck/base/saturate.h"

namespace coalcheck::cost {
namespace {

double Of(Sectors sectors) { return static_cast<double>(sectors.count()); }
double Of(CacheLines lines) { return static_cast<double>(lines.count()); }

// What accesses ask of one part of the path to memory.
struct Traffic {
  Sectors sectors;
  CacheLines lines;
  bool in_whole_sectors = false;
};

Traffic AllOf(const Counts& counts) {
  return {counts.sectors, counts.lines, counts.Wasted() == Sectors(0)};
}

double L2CyclesOf(const Traffic& traffic, Direction direction) {
  if (direction == Direction::kLoad) {
    return std::max(kL2PerLoadedSector * Of(traffic.sectors), kL2PerLoadedLine * Of(traffic.lines));
  }
  const double in_part = traffic.in_whole_sectors ? 0 : kL2PerLineStoredInPart * Of(traffic.lines);
  return kL2PerStoredSector * Of(traffic.sectors) + in_part;
}

double L1CyclesOf(const Traffic& traffic) {
  return std::max(Of(traffic.lines), Of(traffic.sectors) / kSectorsPerL1Cycle);
}

Bytes Scaled(Bytes bytes, double factor) {
  return Bytes(SaturatingCount(static_cast<double>(bytes.count()) * factor));
}

// What L2 asks of memory. Sectors that are written in part are read first, as their halves of
// lines are.
void AskMemory(const Traffic& traffic, Direction direction, Demand& demand) {
  const Bytes moved = MovedFor(traffic.sectors, traffic.lines);
  if (direction == Direction::kLoad) {
    demand.read = moved;
    return;
  }
  demand.written = MovedFor(traffic.sectors, CacheLines(0));
  if (!traffic.in_whole_sectors) demand.read = moved;
}

// `l1` is what L1 is asked for, `behind` what it asks for, `memory` what L2 does.
Demand DemandOf(const Traffic& l1, const Traffic& behind, const Traffic& memory,
                Direction direction) {
  Demand demand;
  demand.l1 = L1CyclesOf(l1);
  demand.l2 = L2CyclesOf(behind, direction);
  AskMemory(memory, direction, demand);
  return demand;
}

}  // namespace

Demand& Demand::operator+=(const Demand& other) {
  l1 += other.l1;
  l2 += other.l2;
  read += other.read;
  written += other.written;
  return *this;
}

Demand operator*(const Demand& demand, double factor) {
  return {demand.l1 * factor, demand.l2 * factor, Scaled(demand.read, factor),
          Scaled(demand.written, factor)};
}

Demands& Demands::operator+=(const Demands& other) {
  now += other.now;
  repaired += other.repaired;
  return *this;
}

Demands operator*(const Demands& demands, double factor) {
  return {demands.now * factor, demands.repaired * factor};
}

Demands DemandsOf(const Counts& counts, Direction direction, Reuse reuse, const Counts* after) {
  const std::uint64_t requests = counts.requests.count();
  const Traffic traffic = AllOf(counts);
  // A request touches a line at least.
  const CacheLines packed(std::max(requests, counts.ideal.count() / 4));
  const Traffic needed{counts.ideal, std::min(packed, std::max(counts.lines, CacheLines(1))), true};
  const Traffic needed_of_memory{counts.ideal, CacheLines(0), true};
  const bool is_load = direction == Direction::kLoad;
  if (reuse == Reuse::kOfAll && is_load) {
    Demands demands;
    demands.now.l1 = L1CyclesOf(traffic);
    demands.repaired.l1 = after != nullptr           ? L1CyclesOf(AllOf(*after))
                          : traffic.in_whole_sectors ? demands.now.l1
                                                     : L1CyclesOf(needed);
    return demands;
  }
  const bool rest_is_used = reuse == Reuse::kOfTheRest;
  const Demand now = DemandOf(traffic, rest_is_used && is_load ? needed : traffic,
                              rest_is_used ? needed_of_memory : traffic, direction);
  if (after == nullptr ? traffic.in_whole_sectors : *after == counts) return {now, now};
  if (after != nullptr) {
    const Traffic left = AllOf(*after);
    const bool shares = rest_is_used && !left.in_whole_sectors;
    const Traffic whole{left.sectors, CacheLines(0), true};
    return {now, DemandOf(left, shares && is_load ? needed : left,
                          shares                  ? needed_of_memory
                          : left.in_whole_sectors ? whole
                                                  : left,
                          direction)};
  }
  return {now, DemandOf(needed, needed, needed_of_memory, direction)};
}

Bytes MovedFor(Sectors sectors, CacheLines lines) {
  const Bytes traffic(sectors.count() > std::uint64_t{1} << 58U ? std::uint64_t{1} << 63U
                                                                : sectors.count() * 32);
  if (lines == CacheLines(0)) return traffic;
  const Bytes of_lines(lines.count() > std::uint64_t{1} << 56U ? std::uint64_t{1} << 63U
                                                               : lines.count() * 128);
  return std::max(traffic, std::min(traffic + traffic, of_lines));
}

}  // namespace coalcheck::cost

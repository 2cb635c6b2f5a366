// SPDX-License-Identifier: Apache-2.0
//
// The busiest part of the path to memory sets the time, and its demand after the repair is the
// least time that remains. If no part is busy, waits are latency, and most of it stays.
#include "libcoalcheck/cost/gain.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "libcoalcheck/base/saturate.h"

namespace coalcheck::cost {
namespace {

// What part of the memory's peak streams reach that do nothing but read, or write: 0.96 and 0.74 on
// an H200, 0.92 and 0.81 on an H100 (docs/measurements/memory-paths.csv). Copies reach 0.86 and
// 0.89.
struct OfPeak {
  double read = 0;
  double written = 0;
};
constexpr OfPeak kBestOfPeak = {0.96, 0.81};
constexpr OfPeak kWorstOfPeak = {0.92, 0.74};
// The time of a repaired kernel divided by the time of its busiest part. In the 24 of
// bench/fix_pairs: 1.03 to 1.09 if it only reads, 1.19 to 1.35 if it copies (against the best
// peaks; the worst are 4 to 9 % lower), 1.32 for the one that reads from L1 only. `mixed` is the
// factor for memory that is read and written.
constexpr double kWorstAroundMemory = 1.09;
constexpr double kWorstOfMixed = 0.23;
constexpr double kWorstAroundL2 = 1.2;
constexpr double kWorstAroundL1 = 1.4;
// And by how much longer still at worst where a warp waits for an index before it can ask: the two
// gathers of bench/fix_pairs.
constexpr double kWorstOfIndex = 1.4;
// Cycles of a multiprocessor for each warp that comes, asks memory once and goes, with as many
// others as find room: copies of one element a thread, 24 to 27 on an H200 and 27 to 30 on an H100.
constexpr double kBestWarpTurn = 24;
constexpr double kWorstWarpTurn = 30;
// Of that, what a repair may do away with that lets each thread do the work of several, as a tile
// does.
constexpr double kTurnsThatStay = 0.75;
// In what part of the cycles a scheduler can issue an instruction: what busy kernels reach at best,
// and what they do as a rule.
constexpr double kMostIssued = 0.77;
constexpr double kOftenIssued = 0.64;
// A part of the path is taken to set the time from this share of the time on.
constexpr double kBusy = 0.85;
// The repair helps a part of the path that it relieves by this much at least.
constexpr double kRelieved = 0.97;
// The share of the work that, at worst, does not overlap with waiting for memory.
constexpr double kWorkBeside = 0.25;
// Of a wait that is latency, what a request of few sectors may save against one of 32: a judgement.
constexpr double kOfLatency = 0.12;
// The gain is looked at for so many times between the shortest and the longest that is possible.
constexpr int kTimesLookedAt = 25;

constexpr std::array kParts = {Part::kL1, Part::kL2, Part::kMemory};
// Shares of the time that each part needs for a demand alone; as kParts.
using Shares = std::array<double, kParts.size()>;

double MemoryTimeOf(const Demand& demand, const Capacity& capacity, const OfPeak& of_peak) {
  return Per(demand.read, capacity.moved) / of_peak.read +
         Per(demand.written, capacity.moved) / of_peak.written;
}

Shares SharesOf(const Demand& demand, const Capacity& capacity) {
  const auto of = [](double cycles, Cycles all) {
    return cycles / static_cast<double>(all.count());
  };
  return {of(demand.l1, capacity.busy), of(demand.l2, capacity.device),
          MemoryTimeOf(demand, capacity, kBestOfPeak)};
}

// Without the device's limits the gain follows from the waits alone.
Gain FromWaitsAlone(const KernelUse& use, double work) {
  const bool moves = use.demands.now.Moved() > Bytes(0);
  const double left = 1 - ReliefOf(use.demands, moves ? Part::kMemory : Part::kL1);
  Gain gain;
  // If no warp waits for wasted sectors, the other waits have another cause.
  if (use.own_waits <= 0) return gain;
  gain.most = (1 - work) * (1 - left);
  gain.least = std::clamp(use.certain_waits, 0.0, gain.most);
  return gain;
}

// How certainly what takes this share of the time sets it. Queues grow faster than what stands in
// them: half as busy is an eighth of the queueing.
double CertaintyOf(double share) {
  const double part = std::clamp(share / kBusy, 0.0, 1.0);
  return part * part * part;
}

// What the path takes for a demand, as shares of the time.
struct PathTime {
  double best = 0;
  double worst = 0;
};

PathTime PathTimeOf(const Demand& demand, const Capacity& capacity) {
  const Shares shares = SharesOf(demand, capacity);
  const double caches = std::max(shares[0], shares[1]);
  // 1 where as much is written as read, 0 where only one of them is done.
  const Bytes both = std::min(demand.read, demand.written);
  const double mixed = std::min(1.0, 2 * Per(both, demand.Moved()));
  const double worst = kWorstAroundMemory + kWorstOfMixed * mixed;
  return {std::max(caches, MemoryTimeOf(demand, capacity, kBestOfPeak)),
          std::max({kWorstAroundL1 * shares[0], kWorstAroundL2 * shares[1],
                    worst * MemoryTimeOf(demand, capacity, kWorstOfPeak)})};
}

bool IsRelieved(double now, double repaired) { return repaired < kRelieved * now; }

Gain GainIn(const Capacity& capacity, const KernelUse& use, double work) {
  const Shares now = SharesOf(use.demands.now, capacity);
  const Shares repaired = SharesOf(use.demands.repaired, capacity);
  double relieved = 0;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (IsRelieved(now[i], repaired[i])) relieved = std::max(relieved, now[i]);
  }
  const double busy = CertaintyOf(relieved);
  const PathTime path = PathTimeOf(use.demands.repaired, capacity);
  const double warps = use.warps / static_cast<double>(capacity.device.count());
  const double turns = kBestWarpTurn * warps;
  const double stays = std::max(CertaintyOf(turns), kTurnsThatStay) * turns;
  const double fast = std::clamp(std::max({path.best, stays, use.issued / kMostIssued}), work, 1.0);
  const double waits = path.worst * (use.waits_for_index ? kWorstOfIndex : 1);
  const double slow = std::clamp(
      std::max({waits, kWorstWarpTurn * warps, use.issued / kOftenIssued}) + kWorkBeside * work,
      fast, 1.0);
  const double own = std::clamp(use.own_waits, 0.0, 1 - work);
  return {busy * (1 - slow), busy * (1 - fast) + (1 - busy) * kOfLatency * own};
}

// The same launches in a time that is so much longer.
Capacity Longer(const Capacity& capacity, double factor) {
  const auto times = [factor](std::uint64_t count) {
    return std::max<std::uint64_t>(1, SaturatingCount(static_cast<double>(count) * factor));
  };
  return {Cycles(times(capacity.busy.count())), Cycles(times(capacity.device.count())),
          Bytes(times(capacity.moved.count())), capacity.looks};
}

}  // namespace

Capacity& Capacity::operator+=(const Capacity& other) {
  busy += other.busy;
  device += other.device;
  moved += other.moved;
  looks += other.looks;
  return *this;
}

Capacity CapacityIn(Cycles sampled, Cycles period, std::uint32_t multiprocessors,
                    const DeviceLimits& limits) {
  if (!limits.Known() || multiprocessors == 0 || period == Cycles(0)) return {};
  const double cycles = static_cast<double>(sampled.count()) / multiprocessors;
  return {sampled, Cycles(SaturatingCount(cycles * limits.multiprocessors)),
          Bytes(SaturatingCount(cycles / limits.clock_hertz * limits.bytes_per_second)),
          cycles / static_cast<double>(period.count())};
}

double DoubtOf(const Capacity& capacity, double launches) {
  if (capacity.looks <= 0 || launches <= 0) return 1;
  // A launch of several periods is looked at once more or less, by where it begins; a shorter one
  // by chance.
  const double each = capacity.looks / launches;
  const double of_one = each >= 1 ? 0.5 / each : std::max(0.5, std::sqrt((1 - each) / each));
  return of_one / std::sqrt(launches);
}

double MemoryShare(const Demand& demand, const Capacity& capacity) {
  return Per(demand.Moved(), capacity.moved);
}

Gain GainOf(const KernelUse& use) {
  const double work = std::clamp(use.work, 0.0, 1.0);
  if (use.demands.now.Moved() == Bytes(0) && use.demands.now.l1 <= 0) return {};
  if (!use.HasCapacity()) return FromWaitsAlone(use, work);
  Gain gain{1, 0};
  for (int i = 0; i < kTimesLookedAt; ++i) {
    const double from_middle = 2.0 * i / (kTimesLookedAt - 1) - 1;
    const Gain one = GainIn(Longer(use.capacity, 1 + use.doubt * from_middle), use, work);
    gain = {std::min(gain.least, one.least), std::max(gain.most, one.most)};
  }
  return gain;
}

Part BusiestRelieved(const KernelUse& use) {
  Part busiest = Part::kMemory;
  if (!use.HasCapacity()) return busiest;
  const Shares now = SharesOf(use.demands.now, use.capacity);
  const Shares repaired = SharesOf(use.demands.repaired, use.capacity);
  double most = 0;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (!IsRelieved(now[i], repaired[i]) || now[i] <= most) continue;
    most = now[i];
    busiest = kParts[i];
  }
  return busiest;
}

double ReliefOf(const Demands& demands, Part part) {
  const auto of = [part](const Demand& demand) {
    if (part == Part::kMemory) return static_cast<double>(demand.Moved().count());
    return part == Part::kL1 ? demand.l1 : demand.l2;
  };
  const double now = of(demands.now);
  return now > 0 ? std::clamp(1 - of(demands.repaired) / now, 0.0, 1.0) : 0;
}

}  // namespace coalcheck::cost

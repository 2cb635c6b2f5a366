// SPDX-License-Identifier: Apache-2.0
//
// A busy memory sets the time: what is left after the repair is what has to be moved, and the work
// beside it. An idle one does not: waits are latency then, and most of it stays.
#include "libcoalcheck/cost/gain.h"

#include <algorithm>
#include <cmath>

namespace coalcheck::cost {
namespace {

constexpr double kMostBytes = 1.8e19;  // fits 64 bits

// Of the memory's peak, what repaired code reaches. Fitted to the stride sweep that an H200 was
// timed with (docs/measurements/stride.csv): strides of 4 to 16 floats move 0.82 to 0.88 of it.
constexpr double kFastStream = 0.82;
constexpr double kSlowStream = 0.65;
// From this share of the peak on all waiting is queueing.
constexpr double kBusy = 0.45;
// More than this is not to be had from memory: caches must have served a part.
constexpr double kCached = 1.25;
// Part of the work goes on while memory is waited for: at best so much of it does not.
constexpr double kWorkLeft = 0.75;
// Of a wait that is latency, what a request of fewer sectors may save: the time in which its
// sectors follow each other, against that until the first is there.
constexpr double kOfLatency = 0.2;

// The part of the time that is left when memory was busy.
struct Left {
  double fast = 0;
  double slow = 0;
};

Left WhenBusy(const KernelUse& use, double now, double repaired, double work) {
  const double ratio = std::min(1.0, repaired / now);
  const double waits = 1 - work;
  Left left;
  if (now > kCached) {
    // What was served by caches is in no proportion to memory: the queues shrink as the sectors do.
    left.fast = std::max(work, ratio);
    left.slow = work + waits * ratio;
  } else {
    left.fast = repaired / kFastStream + kWorkLeft * work;
    left.slow = repaired / kSlowStream + work;
  }
  // A kernel that moves all it did before takes as long as before.
  if (use.traffic.repaired >= use.traffic.now) left.fast = left.slow = 1;
  left.fast = std::clamp(left.fast, work, 1.0);
  left.slow = std::clamp(left.slow, left.fast, 1.0);
  return left;
}

// Without the device's limits only the waits speak.
Gain FromWaitsAlone(const KernelUse& use, double work) {
  const double ratio = std::min(1.0, Per(use.traffic.repaired, use.traffic.now));
  Gain gain;
  // Where nobody waits for what is wasted, other waits are for something else.
  if (use.own_waits <= 0) return gain;
  gain.most = (1 - work) * (1 - ratio);
  gain.least = std::clamp(use.certain_waits, 0.0, gain.most);
  return gain;
}

}  // namespace

Bytes MovedFor(Sectors sectors, CacheLines lines) {
  const Bytes touched(sectors.count() > std::uint64_t{1} << 58U ? std::uint64_t{1} << 63U
                                                                : sectors.count() * 32);
  if (lines == CacheLines(0)) return touched;
  const Bytes of_lines(lines.count() > std::uint64_t{1} << 56U ? std::uint64_t{1} << 63U
                                                               : lines.count() * 128);
  return std::max(touched, std::min(touched + touched, of_lines));
}

Bytes CouldMove(Cycles sampled, std::uint32_t multiprocessors, const DeviceLimits& limits) {
  if (!limits.Known() || multiprocessors == 0) return {};
  const double seconds = static_cast<double>(sampled.count()) /
                         static_cast<double>(multiprocessors) / limits.clock_hertz;
  return Bytes(static_cast<std::uint64_t>(std::min(seconds * limits.bytes_per_second, kMostBytes)));
}

Gain GainOf(const KernelUse& use) {
  const double work = std::clamp(use.work, 0.0, 1.0);
  if (use.traffic.now == Bytes(0)) return {};
  if (use.could_move == Bytes(0)) return FromWaitsAlone(use, work);
  const double now = Per(use.traffic.now, use.could_move);
  const double repaired = Per(use.traffic.repaired, use.could_move);
  const Left left = WhenBusy(use, now, repaired, work);
  // Queues grow faster than what stands in them: half as busy is a quarter of the queueing.
  const double part = std::min(1.0, now / kBusy);
  const double busy = part * part;
  const double own = std::clamp(use.own_waits, 0.0, 1 - work);
  Gain gain;
  gain.least = busy * (1 - left.slow);
  gain.most = busy * (1 - left.fast) + (1 - busy) * kOfLatency * own;
  return gain;
}

}  // namespace coalcheck::cost

// SPDX-License-Identifier: Apache-2.0
//
// A kernel is repaired as a whole; its gain is shared out by what is waited for at each access.
#include "libcoalcheck/findings/kernel_gain.h"

#include <algorithm>

namespace coalcheck::findings {
namespace {

using cost::StallKind;

bool IsUsedByOthers(patterns::Waste waste) {
  return waste == patterns::Waste::kShared || waste == patterns::Waste::kLikelyAbsorbed;
}

double WastedShareAlone(const Access& access) {
  return Per(WastedAlone(access), access.counts.sectors);
}

double CyclesOf(Cycles cycles) { return static_cast<double>(cycles.count()); }

// Launches are sampled where they are not counted. For what one counted thread moves, so many
// threads were sampled: a launch of twice the grid weighs twice. Empty where every launch was
// counted, or where some launch's size is not known.
std::optional<double> SampledPerCounted(const Access& access) {
  const double counted = access.threads_share;
  if (counted <= 0 || counted >= 1) return std::nullopt;
  return (1 - counted) / counted;
}

Bytes Times(Bytes bytes, double factor) {
  constexpr double kMost = 1.8e19;  // fits 64 bits
  return Bytes(
      static_cast<std::uint64_t>(std::min(static_cast<double>(bytes.count()) * factor, kMost)));
}

// Of what others use nothing more is moved, now or repaired.
cost::Traffic TrafficOf(const Access& access) {
  cost::Traffic traffic;
  for (const patterns::Share& share : access.patterns) {
    const Bytes ideal = cost::MovedFor(share.counts.ideal, {});
    traffic.repaired += ideal;
    const bool is_repaired = share.counts.Wasted() == Sectors(0) || IsUsedByOthers(share.waste);
    traffic.now += is_repaired ? ideal : cost::MovedFor(share.counts.sectors, share.counts.lines);
  }
  return traffic;
}

cost::KernelUse UseOf(const KernelTime& time, const std::vector<Access*>& accesses) {
  cost::KernelUse use;
  use.could_move = time.could_move;
  use.work = ShareOf(time.work, time.all.all);
  for (const Access* access : accesses) {
    const double wasted = WastedShareAlone(*access);
    const cost::StallTimes& stalls = access->cost->stalls;
    const Cycles certain = stalls[StallKind::kThrottle].exposed + stalls[StallKind::kDrain].exposed;
    use.own_waits += ShareOf(stalls.Sum().all, time.all.all) * wasted;
    use.certain_waits += ShareOf(certain, time.all.all) * wasted;
    const std::optional<double> factor = SampledPerCounted(*access);
    if (!factor) use.could_move = Bytes(0);
    const cost::Traffic traffic = TrafficOf(*access);
    use.traffic.now += Times(traffic.now, factor.value_or(1));
    use.traffic.repaired += Times(traffic.repaired, factor.value_or(1));
  }
  return use;
}

// By waits for wasted sectors, or by those sectors where nobody was seen to wait.
std::vector<double> PartsOf(const std::vector<Access*>& accesses) {
  std::vector<double> waits;
  std::vector<double> sectors;
  double all_waits = 0;
  double all_sectors = 0;
  for (const Access* access : accesses) {
    const double stalled = CyclesOf(access->cost->stalls.Sum().all);
    waits.push_back(stalled * WastedShareAlone(*access));
    sectors.push_back(static_cast<double>(WastedAlone(*access).count()));
    all_waits += waits.back();
    all_sectors += sectors.back();
  }
  std::vector<double>& parts = all_waits > 0 ? waits : sectors;
  const double all = all_waits > 0 ? all_waits : all_sectors;
  for (double& part : parts) part = all > 0 ? part / all : 0;
  return parts;
}

}  // namespace

Sectors WastedAlone(const Access& access) {
  Sectors wasted;
  for (const patterns::Share& share : access.patterns) {
    if (!IsUsedByOthers(share.waste)) wasted += share.counts.Wasted();
  }
  return std::min(wasted, access.counts.sectors);
}

KernelCost GiveGain(const std::string& kernel, const KernelTime& time,
                    const std::vector<Access*>& accesses) {
  KernelCost sum{kernel, time.all, std::nullopt, {}};
  const cost::KernelUse use = UseOf(time, accesses);
  if (use.could_move > Bytes(0)) sum.memory_share = Per(use.traffic.now, use.could_move);
  if (time.all.all > Cycles(0)) sum.gain = cost::GainOf(use);
  const std::vector<double> parts = PartsOf(accesses);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    accesses[i]->cost->gain = {parts[i] * sum.gain.least, parts[i] * sum.gain.most};
  }
  return sum;
}

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// Computes the gain of a kernel as a whole, and divides it by the waits at each access.
#include "libcoalcheck/findings/cost/kernel_gain.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "libcoalcheck/base/saturate.h"

namespace coalcheck::findings {
namespace {

using cost::StallKind;

bool IsUsedByOthers(patterns::Waste waste) {
  return waste == patterns::Waste::kShared || waste == patterns::Waste::kLikelyAbsorbed;
}

// Of an access's sectors, the share that nobody else uses and that the repair spares.
double SparedShare(const Access& access, const AccessChange* change) {
  const double alone = Per(WastedAlone(access), access.counts.sectors);
  if (change == nullptr || change->before.sectors <= 0) return alone;
  return std::min(alone, std::max(0.0, 1 - change->after.sectors / change->before.sectors));
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

// Of what all blocks load, L1 is taken to keep this much; it has 228 to 256 KiB, which shared
// memory and other arrays use, too.
constexpr double kKeptByL1 = 64 * 1024;
constexpr double kExact = 1e-3;

// Whether the whole grid loads the same few bytes again and again. A warp's loops run at most as
// many rounds as it makes requests.
bool StaysInL1(const Access& access) {
  const double warps = access.threads_checked / kWarpSize;
  if (access.kind != cubin::AccessKind::kLoad || warps <= 0) return false;
  return std::ranges::all_of(access.instructions, [warps](const Instruction& instruction) {
    const auto& reach = instruction.address.reach;
    if (!reach) return false;
    const double rounds = static_cast<double>(instruction.counts.requests.count()) / warps;
    return static_cast<double>(reach->threads.count()) +
               rounds * static_cast<double>(reach->each_round.count()) <=
           kKeptByL1;
  });
}

// What is left of `counts` where all of its access does what `change` says.
Counts AfterOf(const Counts& counts, const AccessChange& change) {
  if (!change.IsLower() && !change.IsHigher()) return counts;
  const auto scaled = [](auto count, double before, double after) {
    const double factor = before > 0 ? after / before : 1;
    return decltype(count)(SaturatingCount(static_cast<double>(count.count()) * factor + 0.5));
  };
  const address::Sums& before = change.before;
  const address::Sums& after = change.after;
  Counts left{scaled(counts.requests, before.requests, after.requests), counts.lanes,
              scaled(counts.sectors, before.sectors, after.sectors),
              scaled(counts.ideal, before.ideal, after.ideal),
              scaled(counts.lines, before.lines, after.lines)};
  // Sums over chosen blocks are not exact to the last sector.
  if (after.sectors <= after.ideal * (1 + kExact)) left.ideal = left.sectors;
  left.ideal = std::min(left.ideal, left.sectors);
  return left;
}

cost::Demands DemandsOf(const Access& access, const AccessChange* change) {
  const cost::Direction direction =
      access.kind == cubin::AccessKind::kLoad ? cost::Direction::kLoad : cost::Direction::kStore;
  const bool stays = StaysInL1(access);
  cost::Demands demands;
  for (const patterns::Share& share : access.patterns) {
    const bool rest_is_used = IsUsedByOthers(share.waste);
    std::optional<Counts> after;
    if (change != nullptr) after = AfterOf(share.counts, *change);
    demands += cost::DemandsOf(share.counts, direction,
                               stays          ? cost::Reuse::kOfAll
                               : rest_is_used ? cost::Reuse::kOfTheRest
                                              : cost::Reuse::kNone,
                               after ? &*after : nullptr);
  }
  return demands;
}

bool WaitsForIndex(const Access& access) {
  return std::ranges::any_of(access.instructions, [](const Instruction& instruction) {
    return instruction.address.form == patterns::AddressFact::Form::kLoaded;
  });
}

cost::KernelUse UseOf(const KernelTime& time, const std::vector<Repaired>& accesses) {
  cost::KernelUse use;
  use.capacity = time.capacity;
  use.warps = time.warps;
  use.doubt = cost::DoubtOf(time.capacity, time.launches);
  use.work = ShareOf(time.work, time.all.all);
  // If no sample waits alone, CUPTI did not tell these samples apart.
  if (time.all.exposed > Cycles(0)) use.issued = 1 - ShareOf(time.all.exposed, time.all.all);
  for (const auto& [access, change] : accesses) {
    use.waits_for_index = use.waits_for_index || WaitsForIndex(*access);
    const double wasted = SparedShare(*access, change);
    const cost::StallTimes& stalls = access->cost->stalls;
    const Cycles certain = stalls[StallKind::kThrottle].exposed + stalls[StallKind::kDrain].exposed;
    use.own_waits += ShareOf(stalls.Sum().all, time.all.all) * wasted;
    use.certain_waits += ShareOf(certain, time.all.all) * wasted;
    const std::optional<double> factor = SampledPerCounted(*access);
    if (!factor) use.capacity = {};
    use.demands += DemandsOf(*access, change) * factor.value_or(1);
  }
  return use;
}

std::vector<double> SharesOf(const std::vector<double>& weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> shares;
  for (const double weight : weights) shares.push_back(all > 0 ? weight / all : 0);
  return shares;
}

// By waits, as far as the repair relieves the busiest part; if no warp was sampled waiting for it,
// by wasted sectors.
std::vector<double> PartsOf(const std::vector<Repaired>& accesses, cost::Part busiest) {
  std::vector<double> waits;
  std::vector<double> wasted;
  for (const auto& [access, change] : accesses) {
    const double relief = cost::ReliefOf(DemandsOf(*access, change), busiest);
    waits.push_back(CyclesOf(access->cost->stalls.Sum().all) * relief);
    wasted.push_back(static_cast<double>(access->counts.Wasted().count()));
  }
  const bool any_waits = std::ranges::any_of(waits, [](double one) { return one > 0; });
  return SharesOf(any_waits ? waits : wasted);
}

}  // namespace

Sectors WastedAlone(const Access& access) {
  Sectors wasted;
  for (const patterns::Share& share : access.patterns) {
    if (!IsUsedByOthers(share.waste)) wasted += share.counts.Wasted();
  }
  return std::min(wasted, access.counts.sectors);
}

Cycles SavedInL2(const Access& access) {
  const cost::Demands demands = DemandsOf(access, nullptr);
  return Cycles(SaturatingCount(demands.now.l2 - demands.repaired.l2));
}

KernelCost GiveGain(const std::string& kernel, const KernelTime& time,
                    const std::vector<Repaired>& accesses) {
  KernelCost sum{kernel, time.all, std::nullopt, std::nullopt};
  const cost::KernelUse use = UseOf(time, accesses);
  if (use.HasCapacity()) sum.memory_share = cost::MemoryShare(use.demands.now, use.capacity);
  if (time.all.all == Cycles(0) || !time.has_prices) return sum;
  sum.gain = cost::GainOf(use);
  const std::vector<double> parts = PartsOf(accesses, cost::BusiestRelieved(use));
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    accesses[i].access->cost->gain = {parts[i] * sum.gain->least, parts[i] * sum.gain->most};
  }
  return sum;
}

}  // namespace coalcheck::findings

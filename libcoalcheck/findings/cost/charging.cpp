// SPDX-License-Identifier: Apache-2.0
//
// Function by function, so that one cubin is open at a time.
#include "libcoalcheck/findings/cost/charging.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "libcoalcheck/findings/cost/kernel_gain.h"

namespace coalcheck::findings {
namespace {

// An instruction among all that were counted.
using InstructionKey = std::tuple<CubinId, std::string_view, PcOffset>;
struct Counted {
  std::size_t access = 0;
  Sectors sectors;
};
using Index = absl::flat_hash_map<InstructionKey, Counted>;

Index IndexOf(const std::vector<Access>& accesses) {
  Index index;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    for (const Instruction& one : accesses[i].instructions) {
      index[{one.cubin, accesses[i].kernel, one.pc}] = {i, one.counts.sectors};
    }
  }
  return index;
}

cost::StallTime SumOf(const cost::StallsByPc& stalls) {
  cost::StallTime sum;
  for (const auto& [pc, times] : stalls) sum += times.Sum();
  return sum;
}

// `part` and `dropped` of the whole and `dropped`: as if all that was dropped were of it.
double AtMost(Cycles part, Cycles whole, Cycles dropped) {
  part += dropped;
  whole += dropped;
  return ShareOf(part, whole);
}

// Whose time an instruction's samples are.
class Charger {
 public:
  Charger(Code& code, const Index& index) : code_(code), index_(index) {}

  cost::Charged Charge(CubinId cubin, const std::string& function, const cost::StallsByPc& stalls) {
    const cost::Weight weight = [&](PcOffset pc) {
      const auto found = index_.find({cubin, function, pc});
      return found == index_.end() ? Sectors(0) : found->second.sectors;
    };
    if (sampled_cubin_ == nullptr || cubin != of_) {
      sampled_cubin_ = std::make_unique<const cost::SampledCubin>(code_.Bytes(cubin));
      of_ = cubin;
    }
    return sampled_cubin_->Charge(function, stalls, weight);
  }

 private:
  Code& code_;
  const Index& index_;
  std::unique_ptr<const cost::SampledCubin> sampled_cubin_;  // functions come cubin by cubin
  std::optional<CubinId> of_;
};

class AccessCharger {
 public:
  AccessCharger(Code& code, Report& report, ProgramCost& program)
      : report_(report),
        program_(program),
        index_(IndexOf(report.accesses)),
        charger_(code, index_) {
    for (Access& access : report_.accesses) access.cost.emplace();
  }

  void Take(const std::optional<CubinId>& cubin, const std::string& function,
            const SampledFunction& sampled) {
    const cost::StallsByPc& stalls = sampled.stalls;
    AddTime(sampled, kernels_[function]);
    if (!cubin) {
      program_.unattributed += SumOf(stalls);
      return;
    }
    const cost::Charged charged = charger_.Charge(*cubin, function, stalls);
    program_.others += charged.others;
    program_.unattributed += charged.unattributed;
    for (const auto& [pc, times] : charged.accesses) Give({*cubin, function, pc}, times);
  }

  void Finish(const std::set<std::string>& sampled_in_part) {
    for (Access& access : report_.accesses) {
      access.cost->most_of_program =
          AtMost(access.cost->stalls.Sum().all, program_.Sum().all, program_.dropped);
    }
    const std::map<std::size_t, const AccessChange*> advised = AdvisedChanges(report_.moves);
    std::map<std::string, std::vector<Repaired>> accesses;
    for (std::size_t i = 0; i < report_.accesses.size(); ++i) {
      Access& access = report_.accesses[i];
      const auto change = advised.find(i);
      accesses[access.kernel].push_back(
          {&access, change == advised.end() ? nullptr : change->second});
    }
    for (const auto& [kernel, of_kernel] : accesses) {
      const auto found = kernels_.find(kernel);
      if (found == kernels_.end()) continue;
      KernelTime time = found->second.time;
      if (found->second.limits_unknown || sampled_in_part.contains(kernel)) time.capacity = {};
      AddSize(kernel, time);
      for (const Repaired& one : of_kernel) one.access->cost->kernel = time.all;
      program_.kernels.push_back(GiveGain(kernel, time, of_kernel));
    }
  }

 private:
  struct Kernel {
    KernelTime time;
    bool limits_unknown = false;
  };

  static void AddTime(const SampledFunction& sampled, Kernel& kernel) {
    for (const auto& [pc, stalls] : sampled.stalls) {
      kernel.time.all += stalls.Sum();
      kernel.time.work += stalls[cost::StallKind::kOther].all;
    }
    kernel.time.capacity += sampled.capacity;
    kernel.limits_unknown = kernel.limits_unknown || sampled.limits_unknown;
    kernel.time.has_prices = kernel.time.has_prices && !sampled.prices_unknown;
  }

  // Of the launches that were not counted.
  void AddSize(const std::string& kernel, KernelTime& time) const {
    const auto found =
        std::ranges::lower_bound(report_.kernels, kernel, {}, &KernelCoverage::kernel);
    if (found == report_.kernels.end() || found->kernel != kernel) return;
    time.launches = static_cast<double>((found->launches - found->checked).count());
    if (!std::isfinite(found->threads)) return;
    time.warps = std::max(0.0, found->threads - found->threads_checked) / kWarpSize;
  }

  void Give(const InstructionKey& key, const cost::StallTimes& times) {
    const auto found = index_.find(key);
    if (found == index_.end()) {
      program_.uncounted += times.Sum();
      return;
    }
    program_.accesses += times.Sum();
    report_.accesses[found->second.access].cost->stalls += times;
  }

  Report& report_;
  ProgramCost& program_;
  const Index index_;
  Charger charger_;
  absl::flat_hash_map<std::string, Kernel> kernels_;
};

}  // namespace

void ChargeSamples(const Sampled& sampled, Code& code, Report& report) {
  report.why_no_cost = sampled.why_not;
  if (!sampled.any) return;
  ProgramCost& program = report.cost.emplace();
  program.elsewhere = sampled.elsewhere;
  program.unplaced = sampled.unplaced;
  program.dropped = sampled.dropped;
  program.is_partial = sampled.is_partial;
  AccessCharger charger(code, report, program);
  for (const auto& [key, function] : sampled.functions) {
    charger.Take(key.first, key.second, function);
  }
  charger.Finish(sampled.sampled_in_part);
}

}  // namespace coalcheck::findings

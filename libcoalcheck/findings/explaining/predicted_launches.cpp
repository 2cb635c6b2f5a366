// SPDX-License-Identifier: Apache-2.0
//
// Only what an evaluation settles is said: nothing that data decide, nor loops that were cut.
#include "libcoalcheck/findings/explaining/predicted_launches.h"

#include <algorithm>
#include <cmath>

#include "libcoalcheck/findings/explaining/confirm.h"

namespace coalcheck::findings {
namespace {

using address::EvaluatedAccess;
using address::LaunchEvaluation;
using address::Sums;

constexpr std::uint64_t kMostStepsOfGroup = 200'000;
constexpr std::uint64_t kMostSharesOfGroups =
    8;                                 // of the steps: most groups take less than an equal one
constexpr double kErrorsOfBlocks = 4;  // standard errors that chosen blocks may be off by

Sums SumsOfOne(const Counts& counts, Launches launches) {
  Sums sums;
  const Sums all{
      static_cast<double>(counts.requests.count()), static_cast<double>(counts.lanes.count()),
      static_cast<double>(counts.sectors.count()), static_cast<double>(counts.ideal.count()),
      static_cast<double>(counts.lines.count())};
  sums.Add(all, 1 / static_cast<double>(launches.count()));
  return sums;
}

bool AgreeIn(double a, double b) { return std::abs(a - b) <= kAgreement * std::max(a, b); }

bool SumsAgree(const Sums& a, const Sums& b) {
  return AgreeIn(a.requests, b.requests) && AgreeIn(a.sectors, b.sectors) &&
         AgreeIn(a.ideal, b.ideal);
}

double ThreadsIn(const recording::UncountedSet& launch) {
  double threads = 1;
  for (const recording::Dim3& dim : {launch.grid, launch.block}) {
    threads *= static_cast<double>(dim.x) * dim.y * dim.z;
  }
  return threads;
}

address::LaunchValues ValuesOfUncounted(const recording::UncountedSet& launch) {
  address::LaunchValues values{launch.grid, launch.block, launch.arguments.bytes};
  if (launch.arguments.shared_memory) {
    values.dynamic_shared_bytes = launch.arguments.shared_memory->count();
  }
  return values;
}

// Whether blocks that were not evaluated are like those that were.
bool SpeaksForAll(const LaunchEvaluation& evaluation) {
  return evaluation.is_complete || (evaluation.covers && !evaluation.is_cut() &&
                                    !evaluation.are_warps_left_out && !evaluation.has_open_rounds);
}

bool IsSettled(const EvaluatedAccess& access) {
  const double sectors = access.sums.sectors / access.sums.requests;
  return !access.IsOpen() && access.origins.empty() && access.variable_base == 0 &&
         kErrorsOfBlocks * access.error <= kAgreement * sectors;
}

}  // namespace

void LaunchPredictor::Learn(const recording::UncountedSet& launch, const CountsOfPtx& counted,
                            const std::set<std::uint32_t>& confirmed,
                            const LaunchEvaluation& evaluation) {
  SumsOfAccesses& known = counted_[KeyOf(launch, pointers_)];
  for (const auto& [instruction, one] : counted) {
    const bool is_confirmed = confirmed.contains(instruction);
    const Sums sums = SumsOfOne(one.counts, launch.arguments.launches);
    if (is_confirmed) known[instruction] = sums;
    const EvaluatedAccess* evaluated = evaluation.Find(instruction);
    const bool holds = is_confirmed && evaluated != nullptr && SumsAgree(evaluated->sums, sums);
    bool& before = holds_.try_emplace(instruction, true).first->second;
    before = before && holds;
  }
}

SumsOfAccesses LaunchPredictor::Evaluate(const recording::UncountedSet& launch,
                                         const CalledKernel& kernel, std::uint64_t& steps,
                                         std::uint64_t most) const {
  const LaunchEvaluation whole = address::Evaluate(*kernel.program(), ValuesOfUncounted(launch),
                                                   {.steps = std::min(kMostStepsOfGroup, most)});
  steps -= std::min(steps, whole.steps);
  SumsOfAccesses sums;
  if (!SpeaksForAll(whole)) return sums;
  const LaunchEvaluation own = kernel.Own(whole);
  for (const auto& [instruction, holds] : holds_) {
    const EvaluatedAccess* access = own.Find(instruction);
    if (!holds) continue;
    if (access != nullptr && IsSettled(*access)) sums[instruction] = access->sums;
    if (access == nullptr && whole.is_complete) sums[instruction] = {};  // its guard never holds
  }
  return sums;
}

std::vector<PredictedGroup> LaunchPredictor::Predict(
    const std::vector<recording::UncountedSet>& sets, const CalledKernel& kernel,
    std::uint64_t& steps) const {
  std::vector<PredictedGroup> groups;
  const bool any_holds = std::ranges::any_of(holds_, [](const auto& one) { return one.second; });
  const std::vector<AlikeLaunches> alike = GroupAlike(sets, pointers_);
  std::uint64_t left = alike.size();
  for (const AlikeLaunches& one : alike) {
    PredictedGroup& group = groups.emplace_back();
    group.launches = one.launches;
    group.threads = ThreadsIn(*one.example);
    const std::uint64_t most = steps / std::min(left--, kMostSharesOfGroups);
    const auto known = counted_.find(one.key);
    if (known != counted_.end()) {
      group.accesses = known->second;
    } else if (any_holds && kernel.program() != nullptr && most > 0) {
      group.accesses = Evaluate(*one.example, kernel, steps, most);
    }
  }
  return groups;
}

}  // namespace coalcheck::findings

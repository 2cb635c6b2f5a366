// SPDX-License-Identifier: Apache-2.0
//
// Evaluates a launch under a move and holds it against the launch as it was.
#include "libcoalcheck/moves/trial.h"

#include <algorithm>
#include <cmath>

namespace coalcheck::moves {
namespace {

// As blocks are chosen, sums over a launch are not exact.
constexpr double kSameWork = 0.01;
constexpr std::uint64_t kMostStepsOfTrial = 100'000;
constexpr std::uint64_t kWarpsWithUnknowns = 8;

// Of a block of each kind of place in a plane of them, and as many again.
std::uint64_t WarpsToSee(const address::LaunchValues& launch) {
  constexpr std::uint64_t kBlocks = 18;
  const std::uint64_t warps = (launch.block.count() + kWarpSize - 1) / kWarpSize;
  return std::min(kBlocks, launch.grid.count()) * std::max<std::uint64_t>(warps, 1);
}

std::uint32_t LeaderOf(const Leaders* leaders, std::uint32_t instruction) {
  return leaders == nullptr ? instruction : leaders->at(instruction);
}

}  // namespace

Trial::Trial(const Subject& subject, std::uint64_t& steps)
    : subject_(subject),
      steps_(steps),
      has_unknowns_(std::ranges::any_of(
          subject.evaluation.accesses,
          [](const address::EvaluatedAccess& access) { return access.by_data > 0; })) {}

std::optional<address::LaunchEvaluation> Trial::Run(const address::LaunchValues& launch,
                                                    address::RequestFilter* filter,
                                                    const Leaders* leaders, const Narrowed* only) {
  address::EvaluationLimits limits;
  limits.steps = std::min(kMostStepsOfTrial, steps_ / 4);
  limits.of_warp = limits.steps / WarpsToSee(launch);
  if (has_unknowns_ && only == nullptr) {
    // They cost more, and fewer moves are tried.
    limits.steps = std::min(4 * kMostStepsOfTrial, steps_ / 2);
    limits.of_warp = limits.steps / kWarpsWithUnknowns;
  }
  if (limits.steps == 0) return std::nullopt;
  const address::Program& program = only == nullptr ? subject_.program : only->program;
  address::LaunchEvaluation after = address::Evaluate(program, launch, limits, filter);
  steps_ -= std::min(after.steps, steps_);
  ran_out_ = ran_out_ || !after.covers;
  if (!after.covers || (after.has_open_rounds && !after.is_cut)) return std::nullopt;
  // Where loops were left early, each time in another round, sums are no longer comparable.
  const bool is_cut = after.is_cut || subject_.evaluation.is_cut;
  std::map<std::uint32_t, double> lanes;  // by leader, as they were
  for (const auto& [instruction, counted] : subject_.counted) {
    if (only != nullptr && !only->accesses.contains(instruction)) continue;
    const address::EvaluatedAccess* before = subject_.evaluation.Find(instruction);
    if (before == nullptr) return std::nullopt;
    lanes[LeaderOf(leaders, instruction)] += before->sums.lanes;
  }
  // Of an access that few lanes make, the blocks that were chosen may show too many or none.
  double all = 0;
  double other = 0;
  for (const auto& [leader, before] : lanes) {
    const address::EvaluatedAccess* now = after.Find(leader);
    all += before;
    other += std::abs(before - (now == nullptr ? 0 : now->sums.lanes));
  }
  if (!is_cut && other > kSameWork * all) return std::nullopt;
  return after;
}

Move Trial::Compare(MoveKind kind, const address::LaunchEvaluation& after,
                    const std::set<std::uint32_t>* changes, const Leaders* leaders) const {
  Move move;
  move.kind = kind;
  for (const auto& [instruction, counted] : subject_.counted) {
    Change change{instruction, counted, counted};
    const bool stays = changes != nullptr && !changes->contains(instruction);
    const address::EvaluatedAccess* now =
        stays ? nullptr : after.Find(LeaderOf(leaders, instruction));
    if (now != nullptr && now->sums.lanes > 0) {
      change.after = {};
      change.after.Add(now->sums, counted.lanes / now->sums.lanes);
    }
    move.before += change.before.sectors;
    move.after += change.after.sectors;
    move.changes.push_back(change);
  }
  return move;
}

}  // namespace coalcheck::moves

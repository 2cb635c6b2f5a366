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
constexpr std::uint64_t kMostStepsOfTrial = 300'000;

bool IsSame(double a, double b) { return std::abs(a - b) <= kSameWork * std::max(a, b); }

}  // namespace

std::optional<address::LaunchEvaluation> Trial::Run(const address::LaunchValues& launch,
                                                    address::RequestFilter* filter) {
  address::EvaluationLimits limits;
  limits.steps = std::min(kMostStepsOfTrial, steps_ / 2);
  if (limits.steps == 0) return std::nullopt;
  address::LaunchEvaluation after =
      address::Evaluate(subject_.program, launch, limits, filter);
  steps_ -= std::min(after.steps, steps_);
  const bool is_whole = after.covers && !after.is_cut && !after.has_open_rounds;
  if (!is_whole) return std::nullopt;
  for (const std::uint32_t instruction : subject_.executed) {
    const address::EvaluatedAccess* now = after.Find(instruction);
    const address::EvaluatedAccess* before = subject_.evaluation.Find(instruction);
    if (now == nullptr || before == nullptr) return std::nullopt;
    if (!IsSame(now->sums.lanes, before->sums.lanes)) return std::nullopt;
  }
  return after;
}

Move Trial::Compare(MoveKind kind, const address::LaunchEvaluation& after,
                    const std::set<std::uint32_t>* changes) const {
  Move move;
  move.kind = kind;
  for (const std::uint32_t instruction : subject_.executed) {
    const address::EvaluatedAccess* before = subject_.evaluation.Find(instruction);
    if (before == nullptr) continue;
    const bool stays = changes != nullptr && !changes->contains(instruction);
    const address::EvaluatedAccess* now = stays ? before : after.Find(instruction);
    if (now == nullptr) continue;
    move.changes.push_back({instruction, before->sums, now->sums});
    move.before += before->sums.sectors;
    move.after += now->sums.sectors;
  }
  return move;
}

}  // namespace coalcheck::moves

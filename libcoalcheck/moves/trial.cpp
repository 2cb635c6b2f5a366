// SPDX-License-Identifier: Apache-2.0
//
// Evaluates a launch under a move and holds it against the launch as it was.
#include "libcoalcheck/moves/trial.h"

#include <algorithm>
#include <cmath>

#include "libcoalcheck/address/block_choice.h"
#include "libcoalcheck/address/warp_runner.h"

namespace coalcheck::moves {
namespace {

// As blocks are chosen, sums over a launch are not exact.
constexpr double kSameWork = 0.01;
constexpr double kWorkOfBlocks = 0.1;
constexpr std::uint64_t kMostStepsOfTrial = 20'000;
// So many are made at least.
constexpr std::uint64_t kTrials = 8;
// To compare what an access asks for takes about so many steps.
constexpr std::uint64_t kStepsOfAccess = 30;

// Of a block of each kind of place in the grid; where each takes long, the first, the last and one
// between stand for all.
std::uint64_t WarpsToSee(const address::LaunchValues& launch) {
  constexpr std::uint32_t kWarps = 3;
  const std::uint64_t blocks = address::BlockChoice(launch.grid).MissingStrata();
  return blocks * std::clamp(address::WarpsOf(launch), 1U, kWarps);
}

std::uint32_t LeaderOf(const Dealt* dealt, std::uint32_t instruction) {
  return dealt == nullptr ? instruction : dealt->leaders.at(instruction);
}

double TimesOf(const Dealt* dealt, std::uint32_t leader) {
  const auto found =
      dealt == nullptr ? decltype(dealt->times.begin())() : dealt->times.find(leader);
  return dealt == nullptr || found == dealt->times.end() ? 1 : found->second;
}

// Requests of `lanes` lanes that asked before, at most, and whether that is sure.
double RequestsOf(const Change& change, const address::EvaluatedAccess& now, bool has_open_rounds,
                  const Dealt* dealt, double lanes_of_leader, MoveKind kind) {
  const double lanes = change.before.lanes;
  if (IsLayout(kind)) return change.before.requests;
  if (dealt != nullptr && dealt->open.contains(now.instruction)) {
    // Copies of one access share its rows.
    return std::min(lanes, lanes / kWarpSize + now.sums.requests * lanes / lanes_of_leader);
  }
  const double times = TimesOf(dealt, now.instruction);
  if (now.lane_open == 0) return now.sums.requests * times * lanes / now.sums.lanes;
  return has_open_rounds ? lanes : std::min(now.sums.requests, lanes);
}

// No lane lies across two sectors.
void SetMost(const address::EvaluatedAccess& now, double requests, const Dealt* dealt,
             Change& change) {
  const double lanes = change.before.lanes * TimesOf(dealt, now.instruction);
  const bool is_scattered = dealt != nullptr && dealt->scattered.contains(now.instruction);
  change.after.requests = requests;
  change.after.lanes = lanes;
  change.after.sectors = is_scattered ? lanes : std::min(lanes, requests * now.most);
  change.after.ideal = std::min(change.before.ideal, change.after.sectors);
  change.after.lines = std::min(lanes, change.after.sectors);
}

}  // namespace

Trial::Trial(const Subject& subject, std::uint64_t& steps)
    : subject_(subject),
      steps_(steps),
      of_trial_(steps / kTrials),
      cut_(subject.evaluation.cut),
      has_unknowns_(std::ranges::any_of(
          subject.evaluation.accesses,
          [](const address::EvaluatedAccess& access) { return access.IsOpen(); })) {
  if (subject.leaves_out == ptx::LeavesOut::kNothing) return;
  shorter_.emplace(subject.program.function(), subject.program.flow(), nullptr, subject.leaves_out);
  address::LaunchEvaluation as_it_was =
      address::Evaluate(*shorter_, subject.launch, LimitsOf(subject.launch));
  steps_ -= std::min(as_it_was.steps, steps_);
  ran_out_ = !as_it_was.covers;
  if (as_it_was.covers) by_shorter_ = std::move(as_it_was);
}

address::EvaluationLimits Trial::LimitsOf(const address::LaunchValues& launch) const {
  address::EvaluationLimits limits;
  limits.keeps_cut = true;
  // Unknowns cost more.
  const std::uint64_t most = has_unknowns_ ? 4 * kMostStepsOfTrial : kMostStepsOfTrial;
  limits.steps = std::min({most, of_trial_, steps_ / 4});
  limits.of_warp = limits.steps / std::max<std::uint64_t>(WarpsToSee(launch), 1);
  return limits;
}

std::optional<address::LaunchEvaluation> Trial::Run(const address::LaunchValues& launch,
                                                    const Changed& changed) {
  const Narrowed* only = changed.only;
  if (shorter_ && !by_shorter_) return std::nullopt;
  address::EvaluationLimits limits = LimitsOf(launch);
  if (limits.steps == 0) return std::nullopt;
  limits.first_cut = only == nullptr ? cut_ : subject_.evaluation.cut;
  const address::Program& whole = shorter_ ? *shorter_ : subject_.program;
  const address::Program& program = only == nullptr ? whole : only->program;
  address::LaunchEvaluation after = address::Evaluate(program, launch, limits, changed.filter);
  steps_ -= std::min(after.steps + kStepsOfAccess * subject_.counted.size(), steps_);
  ran_out_ = ran_out_ || !after.covers;
  if (!after.covers) return std::nullopt;
  if (only == nullptr) cut_ = after.cut;
  const address::LaunchEvaluation& as_it_was = shorter_ ? *by_shorter_ : subject_.evaluation;
  // Where loops were left early, each time in another round, sums are no longer comparable.
  const bool is_cut = after.is_cut() || as_it_was.is_cut();
  std::map<std::uint32_t, double> lanes;  // by leader, as they were
  for (const auto& [instruction, counted] : subject_.counted) {
    if (only != nullptr && !only->accesses.contains(instruction)) continue;
    const address::EvaluatedAccess* before = as_it_was.Find(instruction);
    if (before == nullptr) return std::nullopt;
    const std::uint32_t leader = LeaderOf(changed.dealt, instruction);
    const bool is_open = changed.dealt != nullptr && changed.dealt->open.contains(leader);
    if (!is_open) lanes[leader] += before->sums.lanes * TimesOf(changed.dealt, leader);
  }
  // Of an access that few lanes make, the blocks that were chosen may show too many or none.
  double all = 0;
  double other = 0;
  for (const auto& [leader, before] : lanes) {
    const address::EvaluatedAccess* now = after.Find(leader);
    all += before;
    other += std::abs(before - (now == nullptr ? 0 : now->sums.lanes));
  }
  const double may_differ = changed.keeps_work ? kWorkOfBlocks : kSameWork;
  if (!is_cut && other > may_differ * all) return std::nullopt;
  return after;
}

Move Trial::Compare(MoveKind kind, const address::LaunchEvaluation& after,
                    const std::set<std::uint32_t>* changes, const Dealt* dealt) const {
  Move move;
  move.kind = kind;
  std::map<std::uint32_t, double> lanes;  // by leader
  for (const auto& [instruction, counted] : subject_.counted) {
    lanes[LeaderOf(dealt, instruction)] += counted.lanes;
  }
  for (const auto& [instruction, counted] : subject_.counted) {
    Change change{.instruction = instruction, .before = counted, .after = counted};
    const bool stays = changes != nullptr && !changes->contains(instruction);
    const address::EvaluatedAccess* now =
        stays ? nullptr : after.Find(LeaderOf(dealt, instruction));
    if (now != nullptr && now->sums.lanes > 0) {
      change.at_most = now->IsOpen();
      change.after = {};
      if (change.at_most) {
        const double all = lanes.at(now->instruction);
        SetMost(*now, RequestsOf(change, *now, after.has_open_rounds, dealt, all, kind), dealt,
                change);
      } else {
        change.after.Add(now->sums,
                         counted.lanes * TimesOf(dealt, now->instruction) / now->sums.lanes);
      }
    }
    move.before += change.before.sectors;
    move.after += change.after.sectors;
    move.changes.push_back(change);
  }
  return move;
}

}  // namespace coalcheck::moves

// SPDX-License-Identifier: Apache-2.0
//
// Asks each family of moves for what it can try here, and ranks what came of it.
#include "libcoalcheck/moves/try_moves.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "libcoalcheck/base/memory_prices.h"
#include "libcoalcheck/moves/cooperation.h"
#include "libcoalcheck/moves/layout_moves.h"
#include "libcoalcheck/moves/seat_moves.h"
#include "libcoalcheck/moves/turn_moves.h"
#include "libcoalcheck/moves/vector_moves.h"
#include "libcoalcheck/moves/window_moves.h"

namespace coalcheck::moves {
namespace {

// Of what the best one saves: who saves all but so much saves as much.
constexpr double kAsGood = 0.05;
// Of what a heavy move saves: so much is worth less than a change of the kernel alone. The known
// pairs leave between 0.116 and 0.143; docs/cost-model.md has them.
constexpr double kOfHeavy = 0.125;
// Rows of as many elements are long enough for a warp each.
constexpr std::uint32_t kLongRow = 64;
// Of a kernel: each is compared under each change.
constexpr std::size_t kMostCompared = 5000;

bool LeavesWaste(const Move& move) {
  constexpr double kTenth = 1.1;
  return std::ranges::any_of(move.changes, [](const Change& change) {
    return change.vector > Bytes(0) && change.after.sectors > kTenth * change.after.ideal;
  });
}

// Of two that bring as much, a block in which a row of threads is longer is the least change, and
// to interleave or stripe long rows is more than to give each to a warp.
int WorkOf(const Move& move, const address::Extent& block) {
  // Where each lane still takes a part of its sectors, a vector is half a repair.
  if (move.kind == MoveKind::kVector && LeavesWaste(move)) {
    return 2 * static_cast<int>(MoveKind::kLanesAlongLoop) + 1;
  }
  if (move.kind == MoveKind::kBlockShape && move.block.x > block.x) return -1;
  // To make neighbours of other blocks' threads, which work together, is more than to stripe.
  if (move.kind == MoveKind::kRenumber && move.regroups) {
    return 2 * static_cast<int>(MoveKind::kStriped) + 1;
  }
  const bool are_long = (move.kind == MoveKind::kInterleave && move.fields >= kLongRow) ||
                        (move.kind == MoveKind::kStriped && move.turns >= kLongRow);
  return 2 * static_cast<int>(are_long ? MoveKind::kLanesAlongLoop : move.kind) +
         (are_long ? 1 : 0);
}

// Whether more than the kernel's own lines change: an array lies otherwise for all who use it, or
// what each thread goes through comes round by round through a tile.
bool IsHeavy(const Move& move) {
  const bool is_tile_of_rounds = move.kind == MoveKind::kSharedTile && move.turns > 0;
  return (IsLayout(move.kind) && move.kind != MoveKind::kAlign) || is_tile_of_rounds;
}

// Sectors of a window that are asked for once instead of again and again. L1 may spare them
// already.
double KeptByL1(const Move& move) {
  if (move.kind != MoveKind::kSharedTile || move.tile.rows != 1) return 0;
  double kept = 0;
  for (const Change& change : move.changes) {
    const double fewer = change.before.requests - change.after.requests;
    if (fewer > 0) kept += fewer / change.after.requests * change.after.sectors;
  }
  return kept;
}

// Cycles of a multiprocessor in which L1 looks lines up and L2 delivers sectors, as for loads.
double CyclesOf(const Move& move, address::Sums Change::*when) {
  double cycles = 0;
  for (const Change& change : move.changes) {
    const address::Sums& sums = change.*when;
    cycles +=
        sums.lines + std::max(kL2PerLoadedSector * sums.sectors, kL2PerLoadedLine * sums.lines);
  }
  return cycles;
}

// Sectors that a move leaves. A heavy one has to save more than one of the kernel alone.
double RankOf(const Move& move) {
  const double saved = std::max(move.before - move.after, 0.0);
  return move.after + KeptByL1(move) + (IsHeavy(move) ? kOfHeavy * saved : 0);
}

double CyclesLeftBy(const Move& move) { return CyclesOf(move, &Change::after) + KeptByL1(move); }

// The best first. Sectors decide whether heavy moves come before others; cycles, which move of the
// same weight; of those that save nearly as many as the best, the one that takes least work. Those
// that may slow the kernel come behind all others.
void Sort(const address::Extent& block, std::vector<Move>& moves) {
  if (moves.empty()) return;
  std::ranges::stable_sort(moves, {}, RankOf);
  const bool is_heavy = IsHeavy(moves.front());
  const auto weighs_alike = [&](const Move& move) { return IsHeavy(move) == is_heavy; };
  const Move* best = &moves.front();
  for (const Move& move : moves) {
    if (weighs_alike(move) && CyclesLeftBy(move) < CyclesLeftBy(*best)) best = &move;
  }
  const double saved = CyclesOf(*best, &Change::before) - CyclesOf(*best, &Change::after);
  const double good = CyclesLeftBy(*best) + kAsGood * std::max(saved, 0.0);
  const auto end = std::stable_partition(moves.begin(), moves.end(), [&](const Move& move) {
    return weighs_alike(move) && CyclesLeftBy(move) <= good;
  });
  std::stable_sort(moves.begin(), end, [&](const Move& a, const Move& b) {
    return WorkOf(a, block) < WorkOf(b, block);
  });
  std::ranges::stable_partition(moves, [](const Move& move) { return move.slow_warps <= 0; });
}

TriedMoves TryAll(const Subject& subject, std::uint64_t& steps) {
  TriedMoves result;
  if (!subject.launch.arguments) {
    result.why_not = "the launch's arguments were not recorded";
    return result;
  }
  if (subject.counted.size() > kMostCompared) {
    result.why_not = "the kernel has too many accesses to compare them under changes";
    return result;
  }
  Trial trial(subject, steps);
  std::vector<Move> moves;
  const auto add = [&moves](std::vector<Move> more) {
    for (Move& move : more) moves.push_back(std::move(move));
  };
  const bool is_explained = subject.IsExplained();
  const std::string bound = WhatBindsThreads(subject.program.function());
  if (!is_explained) result.why_not = "not every access of the kernel is explained";
  if (!bound.empty()) result.why_not = bound;
  if (is_explained && bound.empty()) {
    result.why_not.clear();
    add(SeatMoves(trial));
    add(TurnMoves(trial));
  }
  if (is_explained && !bound.empty() && MayRegroup(subject.program.function())) {
    add(RegroupedMoves(trial));
    add(RegroupedTurns(trial));
  }
  add(LayoutMoves(trial));
  add(VectorMoves(trial));
  // What others may need steps for comes first.
  if (is_explained && bound.empty()) add(WindowMoves(trial));
  if (result.why_not.empty() && trial.ran_out()) {
    result.why_not = kTooLong;
  }
  result.tried = result.why_not.empty() || !moves.empty();
  for (Move& move : moves) {
    const bool helps = move.after < move.before * (1 - kLeastGain);
    (helps ? result.helpful : result.rejected).push_back(std::move(move));
  }
  Sort(subject.launch.block, result.helpful);
  Sort(subject.launch.block, result.rejected);
  return result;
}

}  // namespace

bool BringsAsMuch(const Move& move, const Move& best) {
  return move.after <= best.after + kAsGood * std::max(best.before - best.after, 0.0);
}

TriedMoves TryMoves(const Subject& subject, std::uint64_t& steps) {
  std::uint64_t steps_again = steps;
  TriedMoves result = TryAll(subject, steps);
  if (result.why_not != kTooLong || !result.helpful.empty()) return result;
  // What is computed of data and decides no address may be what takes long: each lane has its own.
  Subject shorter = subject;
  shorter.leaves_out = ptx::LeavesOut::kConditions;
  TriedMoves again = TryAll(shorter, steps_again);
  return again.helpful.empty() && result.tried ? result : again;
}

}  // namespace coalcheck::moves

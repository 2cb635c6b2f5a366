// SPDX-License-Identifier: Apache-2.0
//
// Asks each family of moves for what it can try here, and ranks what came of it.
#include "libcoalcheck/moves/try_moves.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "libcoalcheck/moves/cooperation.h"
#include "libcoalcheck/moves/layout_moves.h"
#include "libcoalcheck/moves/seat_moves.h"
#include "libcoalcheck/moves/turn_moves.h"
#include "libcoalcheck/moves/vector_moves.h"

namespace coalcheck::moves {
namespace {

// Of what the best one saves: who saves all but so much saves as much.
constexpr double kAsGood = 0.05;
// Rows of as many elements are long enough for a warp each.
constexpr std::uint32_t kLongRow = 64;

// Of two that bring as much, a block in which a row of threads is longer is the least change, and
// to interleave or stripe long rows is more than to give each to a warp.
int WorkOf(const Move& move, const address::Extent& block) {
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

// Sectors that a move leaves. To lay long rows out otherwise is asked of all who use them, so it
// has to bring more than to give each to a warp, where that is possible.
double RankOf(const Move& move, bool has_warps) {
  constexpr double kOfOthers = 0.15;
  const bool are_long = move.kind == MoveKind::kInterleave && move.fields >= kLongRow;
  const double saved = std::max(move.before - move.after, 0.0);
  return move.after + (are_long && has_warps ? kOfOthers * saved : 0);
}

// The best first; of those that save nearly as much as the best, the one that takes least work.
// Those that may slow the kernel come behind all others.
void Sort(const address::Extent& block, std::vector<Move>& moves) {
  const bool has_warps =
      std::ranges::find(moves, MoveKind::kLanesAlongLoop, &Move::kind) != moves.end();
  std::ranges::stable_sort(moves, {}, [&](const Move& move) { return RankOf(move, has_warps); });
  const auto end = std::ranges::find_if(
      moves, [&](const Move& move) { return !BringsAsMuch(move, moves.front()); });
  std::stable_sort(moves.begin(), end, [&](const Move& a, const Move& b) {
    return WorkOf(a, block) < WorkOf(b, block);
  });
  std::ranges::stable_partition(moves, [](const Move& move) { return move.slow_warps <= 0; });
}

}  // namespace

bool BringsAsMuch(const Move& move, const Move& best) {
  return move.after <= best.after + kAsGood * std::max(best.before - best.after, 0.0);
}

TriedMoves TryMoves(const Subject& subject, std::uint64_t& steps) {
  TriedMoves result;
  if (!subject.launch.arguments) {
    result.why_not = "the launch's arguments were not recorded";
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
  if (result.why_not.empty() && trial.ran_out()) {
    result.why_not = "evaluating the kernel again takes longer than it may";
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

}  // namespace coalcheck::moves

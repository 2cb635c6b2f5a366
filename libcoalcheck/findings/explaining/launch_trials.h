// SPDX-License-Identifier: Apache-2.0
//
// Tries on one counted launch of a kernel what could be changed about it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/findings/explaining/formula_facts.h"
#include "libcoalcheck/moves/fetched_again.h"
#include "libcoalcheck/moves/try_moves.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::findings {

// The launch on which it was tried, and what came of it. Instructions are numbered as in the
// kernel's own PTX.
struct TriedLaunch {
  recording::Dim3 grid;
  recording::Dim3 block;
  moves::TriedMoves moves;
  std::vector<moves::FetchedAgain> fetched_again;
};

// All of it has to outlive who uses it. Instructions are numbered as in the kernel's own PTX, but
// for those of `program` and `evaluation`, which have the functions that the kernel calls in it.
struct CountedKernel {
  const address::AccessFormulas& formulas;
  const address::Program& program;
  const address::LaunchValues& values;
  const address::LaunchEvaluation& evaluation;
  const CountsOfPtx& counted;                // of all launches that were the same
  double launches = 1;                       // how many those are
  const std::set<std::uint32_t>& confirmed;  // whose counts the evaluation gives
  const std::set<std::uint32_t>& by_data;    // that data decide, which counts do not contradict
  const std::map<std::uint32_t, std::uint32_t>& lines;  // the number of each one's source line
  bool has_strays = false;            // accesses were counted whose instruction is not known
  std::uint32_t multiprocessors = 0;  // of the GPU; 0: not known
};

// `steps`: what all of it may cost, counted down.
moves::TriedMoves TryMovesOn(const CountedKernel& kernel, std::uint64_t& steps);
// Of loads that waste nothing.
std::vector<moves::FetchedAgain> FetchedAgainOn(const CountedKernel& kernel, std::uint64_t& steps);

}  // namespace coalcheck::findings

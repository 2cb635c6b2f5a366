// SPDX-License-Identifier: Apache-2.0
//
// A launch, evaluated: what each access of its kernel asks for, in all of its blocks or in a part
// of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/address/lane_shape.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/address/warp.h"
#include "libcoalcheck/base/counts.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::address {

// Sums over requests. Where blocks were chosen, each counts for those it stands for, so these are
// no whole numbers then.
struct Sums {
  double requests = 0;
  double lanes = 0;
  double sectors = 0;
  double ideal = 0;
  double lines = 0;

  void Add(const Sums& other, double times = 1);
};
// Of one request.
Sums SumsOf(const sectors::RequestCounts& counts);
// With a whole number of requests, all others scaled as these are, so that shares stay what they
// are; so is what is more than a count can hold.
Counts CountsOf(const Sums& sums);

// The requests of one access that have one shape.
struct ShapeShare {
  LaneShape shape;
  Sums sums;  // sectors, ideal and lines mean nothing where data decide where lanes begin
};

// The lanes' addresses of one request, kept to compare accesses with each other.
struct RequestSample {
  std::uint64_t block = 0;  // number in the grid
  std::uint32_t warp = 0;
  std::uint32_t turn = 0;  // the n-th execution of the access by that warp, from 0
  LaneMask active = 0;
  LaneValues addresses;
};

struct EvaluatedAccess {
  std::uint32_t instruction = 0;  // in the function
  Sums sums;                      // over all its requests
  double most = 0;     // sectors of any one request, wherever in a sector data let its lanes begin
  double by_data = 0;  // requests whose addresses unknown data decide, in part at least
  double lane_open = 0;         // for each lane of which unknown data decide whether it takes part
  double warp_open = 0;         // for all lanes together
  double variable_base = 0;     // to a variable of the module, whose place is not known
  std::vector<Origin> origins;  // of all that is unknown, in addresses and in who takes part
  std::vector<ShapeShare> shapes;  // most requests first
  double other_shapes = 0;         // requests that are in none of `shapes`
  std::vector<RequestSample> samples;
  // Standard error of sectors per request where blocks were chosen: how much they differ.
  double error = 0;
  // From one turn to the next of a warp, where it is the same for all lanes and turns that were
  // seen; without a value it differs, or nobody turns.
  bool turns = false;
  bool has_turn_step = false;
  std::int64_t turn_step = 0;  // bytes
  // All blocks that were evaluated ask for addresses between the same two, in their first turn.
  bool blocks_alike = true;
  std::uint64_t span = 0;  // bytes from the one to the other

  // Whether unknown data decide where its lanes ask, or which of them do.
  bool IsOpen() const { return by_data + lane_open + warp_open > 0; }
  // Bytes from lane to lane in the shape that most requests have, in whatever direction; empty
  // where it has no one step.
  std::optional<std::uint64_t> LaneStep() const;
};

struct LaunchEvaluation {
  std::vector<EvaluatedAccess> accesses;  // those that were executed, by instruction
  std::uint64_t blocks = 0;               // of the launch
  std::uint64_t blocks_evaluated = 0;
  bool is_complete = false;      // every block was evaluated to its end
  std::size_t cut = 0;           // how far loops were cut, as they take more steps than there are
  bool covers = false;           // of each kind of place in the grid at least one block was
  WarpEnd end = WarpEnd::kDone;  // why not all was
  bool is_approximate = false;   // by functions that the GPU computes with fewer digits
  bool are_warps_left_out = false;  // of blocks that were evaluated
  bool has_open_rounds = false;     // a loop was left early: unknown data decide its rounds
  std::uint64_t steps = 0;          // that were executed

  bool is_cut() const { return cut > 0; }
  const EvaluatedAccess* Find(std::uint32_t instruction) const;
};

struct EvaluationLimits {
  std::uint64_t steps = 400'000;  // of all warps together: one step is one instruction of a warp
  std::uint32_t samples = 4;      // requests kept for each access
  // Of one warp, before its loops are cut short; 0: an eighth of `steps`.
  std::uint64_t of_warp = 0;
  // Behind a loop that was cut short registers keep what they held there, for those who compare
  // what comes of it with counts; else what further rounds would change is not known.
  bool keeps_cut = false;
  // The LaunchEvaluation::cut to begin with, where less is known to take too long.
  std::size_t first_cut = 0;
  // Where `steps` do not suffice for all blocks: whether those evaluated so far tell enough. Asked
  // once each kind of block is among them, after an eighth of `steps`, then each time they doubled.
  std::function<bool(const LaunchEvaluation&)> is_enough = nullptr;
};

// `filter`: what changes the requests before they are counted; may be null.
LaunchEvaluation Evaluate(const Program& program, const LaunchValues& launch,
                          const EvaluationLimits& limits = {}, RequestFilter* filter = nullptr);

}  // namespace coalcheck::address

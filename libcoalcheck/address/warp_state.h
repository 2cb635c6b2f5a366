// SPDX-License-Identifier: Apache-2.0
//
// What a warp holds between two steps: its registers, its own memory, how often each instruction
// ran, and what is known of unknown values. `Warp` decides which step comes next; the functions of
// warp_steps.h carry it out on this state.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "libcoalcheck/address/conditions.h"
#include "libcoalcheck/address/lane_values.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/address/linear.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/address/request.h"

namespace coalcheck::address {

// A predicate of some lanes: where it is known to hold, and where nobody knows.
struct LaneCondition {
  LaneMask holds = 0;
  LaneMask open = 0;
  bool is_uniform = false;  // all open lanes have the same one, and no lane is certain
  Origins origins = 0;      // of the open ones
  bool is_one = false;      // they have the same one by its value, and not by what is assumed
  Taking if_holds = Taking::kLaneOpen;  // how the open lanes take part in what is then carried out
  Taking if_fails = Taking::kLaneOpen;
};

struct WarpState {
  // All have to outlive the state. `steps_left` is what may still be executed; it is counted down.
  WarpState(const Program& of_program, const LaunchValues& of_launch, Unknowns& of_unknowns,
            std::uint64_t& steps_left);

  // In steps: what one lane's symbol takes, measured.
  static constexpr std::uint64_t kUnknownCost = 8;
  // And where it is that of the lane before.
  static constexpr std::uint64_t kAlikeCost = 1;
  void Spend(std::uint64_t cost) { steps -= std::min(cost, steps); }

  // Before the first step of the warp with that number in the block at `block`: special registers
  // and the addresses of variables are set, all else is forgotten.
  void Begin(Extent block, std::uint32_t warp);

  // What a source of the step holds; zeros where the step has fewer sources.
  const LaneValues& Source(const Step& step, std::uint32_t index) const;
  LaneCondition ConditionOf(Slot slot, bool negated, LaneMask lanes);
  LaneCondition ConditionOf(const LaneValues& values, bool negated, LaneMask lanes);
  // Of the sources of these lanes; the instruction itself where they are known.
  Origins OriginsOf(const Step& step, LaneMask lanes) const;

  // `values` in the lanes of `lanes` whose guard holds. Where the guard is open, one of the old and
  // the new value.
  void Write(Slot slot, const LaneValues& values, LaneMask lanes, const LaneCondition& guard);
  // Each lane gets symbols that are its own.
  void GiveNew(const Step& step, LaneMask lanes, const LaneCondition& guard, Origins origins);
  // In these lanes the slot holds `other` or what it holds, as `condition` decides.
  // `which`: the decision, one number for each.
  void Merge(std::uint64_t which, Slot slot, const LaneValues& other, const LaneValues& condition,
             LaneMask lanes);
  // The same where both differ by one value in all lanes, and one condition decides for all: so
  // that lanes stay as far apart as they are. False where they do not.
  bool MergeCommonDifference(std::uint64_t which, LaneValues& here, const LaneValues& other,
                             const LaneValues& condition, LaneMask lanes);

  const Program& program;
  const LaunchValues& launch;
  Unknowns& unknowns;
  std::uint64_t& steps;
  Conditions conditions;
  Linear linear;
  std::vector<LaneValues> slots;
  LaneMask existing = 0;             // the others are beyond the block's threads
  std::vector<std::uint32_t> turns;  // of each instruction: how often it has asked for memory
  // What a thread stored where no other thread can: the value and its bytes, by address and lane.
  absl::flat_hash_map<std::uint64_t, std::pair<Value, std::uint32_t>> own_memory;
  std::uint32_t stored_sizes = 0;  // those of its values, which are powers of two, as one sum
  LaneValues nothing;              // what stands for a source that is not there
};

}  // namespace coalcheck::address

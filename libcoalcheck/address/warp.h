// SPDX-License-Identifier: Apache-2.0
//
// Runs a program for one warp, as the hardware would: lanes that part at a branch meet again at its
// immediate post-dominator. Where data that nobody knows decide, both ways are taken, and what is
// found on them is marked.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/address/conditions.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/address/linear.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/address/request.h"

namespace coalcheck::address {

// Why a warp was not run to its end.
enum class WarpEnd : std::uint8_t {
  kDone,
  kOutOfSteps,
  kTooManyUnknowns,
  kTooDeep,        // branches nested deeper than any compiler writes
  kUnknownTarget,  // an indirect branch without a list of labels
};

class Warp {
 public:
  // All have to outlive the warp. `steps` is what may still be executed; it is counted down.
  Warp(const Program& program, const LaunchValues& launch, Unknowns& unknowns,
       std::uint64_t& steps);

  // From now on loops are left after so many rounds, with what their registers hold then: those
  // with loops in them, and those without. 0: without a limit.
  struct Rounds {
    std::uint32_t outer = 0;
    std::uint32_t innermost = 0;
    friend bool operator==(const Rounds&, const Rounds&) = default;
  };
  void LimitRounds(Rounds rounds) { most_rounds_ = rounds; }

  // The warp with that number in the block at `block`. `sink` gets its requests in their order.
  WarpEnd Run(Extent block, std::uint32_t warp, RequestSink& sink);

  // Whether a loop was left after a few rounds: unknown data decide how many there are, or they
  // were limited.
  bool has_open_rounds() const { return has_open_rounds_; }

 private:
  struct Openness {
    Taking taking = Taking::kCertain;
    Origins origins = 0;
    const Bound* bounds = nullptr;  // what follows from the conditions that let lanes through
  };
  // A predicate of some lanes: where it is known to hold, and where nobody knows.
  struct Condition {
    LaneMask holds = 0;
    LaneMask open = 0;
    bool is_uniform = false;  // all open lanes have the same one, and no lane is certain
    Origins origins = 0;      // of the open ones
  };
  using Registers = std::vector<LaneValues>;

  // warp_start.cpp
  void Begin(Extent block, std::uint32_t warp);
  // What the code sees of where a thread is.
  struct Seat {
    Extent grid;
    Extent block;
    Extent index;   // of the block
    Extent thread;  // in it
  };
  Seat SeatOf(Extent index, Extent thread) const;
  // Of the thread in that lane.
  Value SpecialOf(ptx::Special special, const Seat& seat, std::uint32_t warp, std::uint32_t lane);

  // warp.cpp
  void RunFrom(std::uint32_t block, std::uint32_t stop, LaneMask lanes, Openness open, int depth);
  // Returns the block to go on with, after the lanes that left have been taken out of `lanes`.
  std::uint32_t Branch(std::uint32_t block, const Step& step, std::uint32_t stop, LaneMask& lanes,
                       Openness open, int depth);
  std::uint32_t Switch(std::uint32_t block, const Step& step, LaneMask lanes, Openness open,
                       int depth);
  // In steps: what one lane's symbol takes, measured.
  static constexpr std::uint64_t kUnknownCost = 8;
  void Spend(std::uint64_t cost) { steps_ -= cost < steps_ ? cost : steps_; }
  bool IsCut(std::uint32_t block, const Step& step, LaneMask taken, LaneMask rest);
  void End(const Step& step, LaneMask& lanes);
  Condition ConditionOf(Slot slot, bool negated, LaneMask lanes);
  Openness Joined(Openness open, const Condition& condition) const;

  // warp_open.cpp
  std::uint32_t OpenBranch(std::uint32_t block, const Step& step, const Condition& condition,
                           LaneMask lanes, Openness open, int depth);
  // Every way of a switch, where nobody knows which is taken.
  void OpenSwitch(std::uint32_t block, const Step& step, const std::vector<std::uint32_t>& targets,
                  LaneMask lanes, Openness open, int depth);
  Registers ValuesOf(const std::vector<Slot>& slots) const;
  void SetValues(const std::vector<Slot>& slots, LaneMask lanes, const Registers& values);
  const std::vector<Slot>& WrittenBehind(std::uint32_t block);
  // Of those lanes the slot holds `other` or what it holds, as `condition` decides.
  // `which`: the decision, one number for each.
  void Merge(std::uint64_t which, Slot slot, const LaneValues& other, const LaneValues& condition,
             LaneMask lanes);
  // `a` or `b`, as an unknown condition decides.
  Value OneOf(std::uint64_t which, Value a, Value b, Value condition);

  // warp_compute.cpp
  Value ComputeOne(const Step& step, const std::array<Value, 4>& values);
  std::optional<Value> LaneSymbols(const Step& step,
                                   const std::array<const LaneValues*, 4>& sources, LaneMask lanes);
  void Compute(const Step& step, LaneMask lanes, const Condition& guard);
  // Each lane gets symbols that are its own.
  void GiveNew(const Step& step, LaneMask lanes, const Condition& guard, Origins origins);
  // Of the sources of these lanes; the instruction itself where they are known.
  Origins OriginsOf(const Step& step, LaneMask lanes);
  void Pack(const Step& step, LaneMask lanes, const Condition& guard);
  void Unpack(const Step& step, LaneMask lanes, const Condition& guard);

  // warp_steps.cpp
  void Execute(const Step& step, LaneMask lanes, Openness open);
  void Access(const Step& step, LaneMask lanes, const Condition& guard, Openness open);
  bool BringsLaneSymbols(const Step& step, LaneMask lanes, std::uint32_t element);
  void Load(const Step& step, LaneMask lanes, const Condition& guard);
  void Store(const Step& step, LaneMask lanes);
  std::optional<Value> KnownAt(const Step& step, Value address, std::uint32_t lane,
                               std::uint32_t element);
  Value LoadedFrom(const Step& step, std::uint32_t lane, std::uint32_t element);
  Value ArgumentAt(std::uint64_t offset, std::uint32_t bytes);
  void Write(Slot slot, const LaneValues& values, LaneMask lanes, const Condition& guard);
  const LaneValues& Source(const Step& step, std::uint32_t index) const;
  Value AddressIn(const Step& step, std::uint32_t lane) const;
  Value UnknownResult(const Step& step, Origin::Kind kind, Value key, std::uint32_t element);

  // warp_exchange.cpp
  void Exchange(const Step& step, LaneMask lanes, const Condition& guard);
  void Shuffle(const Step& step, LaneMask lanes, const Condition& guard);
  void Vote(const Step& step, LaneMask lanes, const Condition& guard);
  void Reduce(const Step& step, LaneMask lanes, const Condition& guard);
  void MatchLanes(const Step& step, LaneMask lanes, const Condition& guard);

  const Program& program_;
  const LaunchValues& launch_;
  Unknowns& unknowns_;
  Conditions conditions_;
  Linear linear_;
  std::uint64_t& steps_;
  Registers slots_;
  LaneMask existing_ = 0;  // the others are beyond the block's threads
  LaneMask exited_ = 0;
  Openness left_;  // lanes may have left: all that follows is open
  WarpEnd end_ = WarpEnd::kDone;
  bool has_open_rounds_ = false;
  std::vector<std::uint8_t> open_rounds_;  // of each block's branch, under way
  std::vector<std::uint32_t> turns_;       // of each instruction
  Rounds most_rounds_;
  std::vector<std::uint32_t> rounds_;  // of the loop that each block's branch may leave
  std::vector<std::optional<std::vector<Slot>>> written_behind_;  // by block, as it is asked for
  absl::flat_hash_map<std::uint64_t, std::pair<Value, std::uint32_t>> local_;  // by address, lane
  RequestSink* sink_ = nullptr;
  LaneValues nothing_;  // what stands for a source that is not there
};

}  // namespace coalcheck::address

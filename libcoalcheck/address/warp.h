// SPDX-License-Identifier: Apache-2.0
//
// Runs a program for one warp, as the hardware would: lanes that part at a branch meet again at its
// immediate post-dominator. Where data that nobody knows decide, both ways are taken, and what is
// found on them is marked.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "libcoalcheck/address/request.h"
#include "libcoalcheck/address/warp_state.h"

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

  // From now on loops are left after so many rounds. What further ones would change is not known
  // then, or stays as it is where `keeps_cut`. `innermost` is for loops without a loop inside,
  // `outer` for the others; 0: no limit.
  struct Rounds {
    std::uint32_t outer = 0;
    std::uint32_t innermost = 0;
    friend bool operator==(const Rounds&, const Rounds&) = default;
  };
  void LimitRounds(Rounds rounds, bool keeps_cut) {
    most_rounds_ = rounds;
    keeps_cut_ = keeps_cut;
  }

  // Rounds of a loop whose end nobody knows: the first, which begins where the loop does, and one
  // that says how it goes on.
  static constexpr std::uint8_t kOpenRounds = 2;
  void LimitOpenRounds(std::uint8_t most) { most_open_rounds_ = most; }

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
    const Guard* guards = nullptr;  // these
  };

  // warp.cpp
  void RunFrom(std::uint32_t block, std::uint32_t stop, LaneMask lanes, Openness open, int depth);
  // Returns the block to go on with, after the lanes that left have been taken out of `lanes`.
  std::uint32_t Branch(std::uint32_t block, const Step& step, std::uint32_t stop, LaneMask& lanes,
                       Openness open, int depth);
  std::uint32_t Switch(std::uint32_t block, const Step& step, LaneMask lanes, Openness open,
                       int depth);
  bool IsCut(std::uint32_t block, const Step& step, LaneMask taken, LaneMask rest);
  // What lanes that leave a loop too early would have left in registers and memory is not known.
  void ForgetRounds(std::uint32_t block, LaneMask lanes);
  void End(const Step& step, LaneMask& lanes);
  void Execute(const Step& step, LaneMask lanes, Openness open);
  void Access(const Step& step, LaneMask lanes, const LaneCondition& guard, Openness open);
  LaneCondition Meeting(LaneCondition guard, const Openness& open, LaneMask lanes) const;
  LaneCondition ReadingLanes(const Step& step, LaneMask lanes);
  Openness Joined(Openness open, const LaneCondition& condition, bool holds) const;
  Openness WayOf(Openness open, const Step& step, const LaneCondition& condition, bool holds);
  // `outer`, and that lanes went on where the step is carried out, or is not.
  bool IsOpenByShape(const Step& step) const;
  void GiveToWarp(const Step& step, LaneMask lanes, const LaneCondition& guard, Origin origin);
  const Guard* Guarded(const Guard* outer, const Step& step, const LaneCondition& condition,
                       bool is_taken);

  // warp_open.cpp
  std::uint32_t OpenBranch(std::uint32_t block, const Step& step, const LaneCondition& condition,
                           LaneMask lanes, Openness open, int depth);
  // Runs every way of a switch, where nobody knows which is taken.
  void OpenSwitch(std::uint32_t block, const Step& step, const std::vector<std::uint32_t>& targets,
                  LaneMask lanes, Openness open, int depth);
  const std::vector<Slot>& WrittenBehind(std::uint32_t block);
  bool StoresBehind(std::uint32_t block);
  // Where the switch at the end of a block may go.
  struct Targets {
    std::span<const std::uint32_t> list;  // instructions, by index
    std::vector<std::uint32_t> blocks;    // each once
  };
  const Targets& TargetsOf(std::uint32_t block, std::uint32_t list);

  WarpState state_;
  LaneMask exited_ = 0;
  Openness left_;  // lanes may have left: all that follows is open
  WarpEnd end_ = WarpEnd::kDone;
  bool has_open_rounds_ = false;
  std::vector<std::uint8_t> open_rounds_;  // of each block's branch, under way
  Rounds most_rounds_;
  bool keeps_cut_ = false;
  std::uint8_t most_open_rounds_ = kOpenRounds;
  std::vector<std::uint32_t> rounds_;  // of the loop that each block's branch may leave
  std::vector<std::optional<std::vector<Slot>>> written_behind_;  // by block, as it is asked for
  std::vector<bool> stores_behind_;                               // where those are known
  std::map<std::uint32_t, Targets> targets_;                      // by block, likewise
  RequestSink* sink_ = nullptr;
  std::deque<Guard> guards_;  // which chains are made of
};

}  // namespace coalcheck::address

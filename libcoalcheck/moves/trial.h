// SPDX-License-Identifier: Apache-2.0
//
// One launch of a kernel on which moves are tried.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "libcoalcheck/address/program.h"
#include "libcoalcheck/moves/move.h"

namespace coalcheck::moves {

// Everything has to outlive who uses it.
struct Subject {
  const address::Program& program;
  const address::FunctionFormulas& formulas;
  const address::LaunchValues& launch;             // with its arguments
  const address::LaunchEvaluation& evaluation;     // of the launch as it was
  std::map<std::uint32_t, address::Sums> counted;  // accesses that were executed, by instruction
  std::set<std::uint32_t> confirmed;  // those of them whose counts the evaluation gives
  std::set<std::uint32_t> by_data{};  // and those that data decide, which counts do not contradict
  // Which line of the source an access was made of, by a number; those left out are of one.
  std::map<std::uint32_t, std::uint32_t> lines{};
  // No other access was counted, or is known of, but to tables of the CUDA runtime.
  bool is_whole = true;
  std::uint32_t multiprocessors = 0;                     // of the GPU; 0: not known
  ptx::LeavesOut leaves_out = ptx::LeavesOut::kNothing;  // of what trials run

  // Whether nothing is left that the evaluation does not explain.
  bool IsExplained() const {
    return is_whole && confirmed.size() + by_data.size() == counted.size();
  }
};

// Of accesses whose requests a move mixes: the one that all of them are counted as, by instruction.
using Leaders = std::map<std::uint32_t, std::uint32_t>;

// What was made of a thread's elements where a warp takes them.
struct Dealt {
  Leaders leaders;
  std::map<std::uint32_t, double> times;  // by leader: as many lanes as before, so often
  // By leader: data decide how many elements a thread has, and each request is one thread's.
  std::set<std::uint32_t> open;
  std::set<std::uint32_t> scattered;  // of those: each element lies where data say
};

// A part of the kernel's accesses, evaluated without the others.
struct Narrowed {
  Narrowed(const Subject& subject, std::set<std::uint32_t> its_accesses)
      : accesses(std::move(its_accesses)),
        program(subject.program.function(), subject.program.flow(), &accesses, subject.leaves_out) {
  }
  const std::set<std::uint32_t> accesses;
  const address::Program program;
};

class Trial {
 public:
  // `steps`: what all evaluations may cost, counted down.
  Trial(const Subject& subject, std::uint64_t& steps);

  const Subject& subject() const { return subject_; }

  // What is run instead of the launch as it was.
  struct Changed {
    address::RequestFilter* filter = nullptr;  // changes the requests
    const Dealt* dealt = nullptr;              // the filter makes others of them
    const Narrowed* only = nullptr;            // of these accesses alone
    // It is certain that as much is asked for: lanes only tell how well blocks were chosen.
    bool keeps_work = false;
  };
  // The launch, evaluated as `launch` and changed. Empty when that takes longer than it may, or
  // when it is not the same work: no longer as many lanes in each access.
  std::optional<address::LaunchEvaluation> Run(const address::LaunchValues& launch,
                                               const Changed& changed);

  bool ran_out() const { return ran_out_; }

  // A move under which each access does what `after` says; those that `changes` leaves out stay.
  // As every lane asks for the same as before, `after` counts for as many lanes as were counted; of
  // what data decide, for the most that these can touch.
  Move Compare(MoveKind kind, const address::LaunchEvaluation& after,
               const std::set<std::uint32_t>* changes = nullptr,
               const Dealt* dealt = nullptr) const;

 private:
  address::EvaluationLimits LimitsOf(const address::LaunchValues& launch) const;

  const Subject& subject_;
  std::uint64_t& steps_;
  const std::uint64_t of_trial_;  // steps that one may take, at most
  std::size_t cut_;               // of loops, by which the last trial came to its end
  const bool has_unknowns_;       // data decide some addresses
  // Where something is left out: the program without it, and the launch as it was by that.
  std::optional<address::Program> shorter_;
  std::optional<address::LaunchEvaluation> by_shorter_;
  bool ran_out_ = false;
};

}  // namespace coalcheck::moves

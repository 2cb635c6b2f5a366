// SPDX-License-Identifier: Apache-2.0
//
// One loop of a section of code: its blocks, its exits, and what writes a register in it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "libcoalcheck/machine_code/dependence.h"

namespace coalcheck::machine_code {

class LoopView {
 public:
  // All have to outlive it. `blocks`: of the loop, ascending. `steps_left` is counted down by the
  // work; at zero nothing is seen any more.
  LoopView(const CodeView& code, std::span<const std::uint32_t> blocks, std::uint64_t& steps_left)
      : code_(code), blocks_(blocks), steps_left_(steps_left) {}

  std::span<const std::uint32_t> blocks() const { return blocks_; }
  bool has_steps() const { return steps_left_ > 0; }
  // Takes a step, of which there may be none left: then what is searched for is not there.
  bool Step();

  bool IsInside(std::uint32_t block) const;
  // Whether the loop may be left from the end of `block`.
  bool Leaves(std::uint32_t block) const;
  // Whether every path through the loop from an entry back to it passes `block`.
  bool IsInEveryRound(std::uint32_t block);
  // The block that instruction `n` stands in.
  std::uint32_t BlockOf(std::uint32_t n) const;

  // Whether instruction `n` writes `location`; whether it may, as a call may write any.
  bool Writes(std::uint32_t n, unsigned location);
  bool MayWrite(std::uint32_t n, unsigned location);
  // The only instruction of the loop that writes `location`, if there is just one.
  std::optional<std::uint32_t> OnlyWriter(unsigned location);

 private:
  std::optional<std::uint32_t> FindOnlyWriter(unsigned location);
  bool ReachesItself(std::uint32_t start, std::uint32_t without);

  const CodeView& code_;
  std::span<const std::uint32_t> blocks_;
  std::uint64_t& steps_left_;
  std::map<unsigned, std::optional<std::uint32_t>> only_writers_;  // by location
};

}  // namespace coalcheck::machine_code

// SPDX-License-Identifier: Apache-2.0
//
// Values that each lane computes from its own number alone, found in machine code backwards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "libcoalcheck/machine_code/dependence.h"

namespace coalcheck::machine_code {

inline constexpr std::uint32_t kLanes = 32;

// By lane. A predicate is 0 or 1.
using LaneValues = std::array<std::uint32_t, kLanes>;

// Over one section of code, which outlives it.
class LaneEvaluator {
 public:
  // Blocks at which functions begin, with the calls of each (instruction numbers); a function whose
  // calls are not all known has none.
  using Entries = std::map<std::uint32_t, std::vector<std::uint32_t>>;
  struct Section {
    const CodeView& code;
    std::span<const std::uint32_t> block_of;  // by instruction
    const Entries& entries;
  };
  // `row_length`: threadIdx.x is the lane's number modulo this. `steps_left` is counted down by the
  // work; at zero nothing is known any more.
  LaneEvaluator(const Section& section, std::uint32_t row_length, std::uint64_t& steps_left)
      : section_(section), code_(section.code), row_length_(row_length), steps_left_(steps_left) {}

  // The value of the location before instruction number `n`. Empty: it depends on something else.
  std::optional<LaneValues> Before(std::uint32_t n, unsigned location);

 private:
  using Value = std::optional<LaneValues>;

  // What instruction `n`, which may write `location`, leaves there.
  Value Written(std::uint32_t n, unsigned location);
  Value Computed(std::uint32_t n);
  Value ComputedPredicate(std::uint32_t n);
  Value Selected(std::uint32_t n);
  Value SpecialRegister(std::uint32_t number) const;
  // The function of three operands, for each lane.
  template <typename Function>
  Value Combined(std::uint32_t n, Function function);
  Value Predicate(std::uint32_t n, unsigned first_bit);
  Value Register(std::uint32_t n, unsigned first_bit);
  Value Uniform(std::uint32_t n);
  Value SecondOperand(std::uint32_t n);
  Value ThirdOperand(std::uint32_t n);

  const Section section_;
  const CodeView& code_;
  const std::uint32_t row_length_;
  std::uint64_t& steps_left_;
  // By instruction and location; empty while the value is being computed.
  std::map<std::pair<std::uint32_t, unsigned>, Value> known_;
  int depth_ = 0;
};

}  // namespace coalcheck::machine_code

// SPDX-License-Identifier: Apache-2.0
//
// Whether what a loop reads from memory decides when the loop ends.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "libcoalcheck/machine_code/control_flow.h"
#include "libcoalcheck/machine_code/operands.h"

namespace coalcheck::machine_code {

// What a function does that matters to the loop that calls it.
struct CallEffects {
  bool strong_load = false;
  bool returning_atomic = false;
  bool weak_load = false;
  bool fence = false;
  bool nanosleep = false;
  bool barrier = false;
  bool exits = false;  // the thread may end in it; ptxas jumps to an EXIT by a call
  LocationSet writes;

  void Add(Effect effect);
  void Add(const CallEffects& other);
};

// One section of machine code as the analysis needs it.
struct CodeView {
  std::span<const Word> words;
  std::span<const Instruction> instructions;
  std::span<const Block> blocks;
  std::span<const std::uint32_t> post_dominators;
  std::uint32_t sm = 0;
  // Of the call at instruction number N.
  std::function<const CallEffects&(std::uint32_t)> effects_of_call;

  bool IsCall(std::uint32_t n) const;
  // Whether instruction number `n`, or the function that it calls, may write the register
  // `location`.
  bool MayWrite(std::uint32_t n, unsigned location) const;
};

// The sources of values that are told apart.
enum class Source : std::uint8_t { kStrongLoad, kReturningAtomic, kWeakLoad };
inline constexpr std::size_t kSourceCount = 3;

// Which sources decide when the loop of the blocks `loop` (ascending) ends. A loop that cannot end
// is taken to be decided by each source in it. `steps_left` is counted down by the work; when it
// reaches zero, every source in the loop counts as deciding.
std::array<bool, kSourceCount> FindDecidingSources(const CodeView& code,
                                                   std::span<const std::uint32_t> loop,
                                                   std::uint64_t& steps_left);

}  // namespace coalcheck::machine_code

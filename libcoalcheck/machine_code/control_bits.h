// SPDX-License-Identifier: Apache-2.0
//
// What the compiler tells the scheduler in each SASS word: how long to wait before the next
// instruction, and which scoreboards to set and to wait for.
#pragma once

#include <cstdint>
#include <optional>

#include "libcoalcheck/machine_code/instruction.h"

namespace coalcheck::machine_code {

// One of the six counters of a warp, SB0 to SB5. An instruction of unknown latency counts one up
// when it is issued and down when it is done; others wait until it is 0.
using Scoreboard = std::uint8_t;
inline constexpr Scoreboard kScoreboards = 6;

struct ControlBits {
  std::uint8_t stall_cycles = 0;            // before the next instruction of the warp
  std::optional<Scoreboard> until_written;  // counts until the results are there
  std::optional<Scoreboard> until_read;     // counts until the operands have been read
  std::uint8_t waits = 0;                   // bit N: waits for SB N before it is issued

  bool Sets(Scoreboard scoreboard) const {
    return until_written == scoreboard || until_read == scoreboard;
  }
  bool WaitsFor(Scoreboard scoreboard) const { return ((waits >> scoreboard) & 1U) != 0; }
};

// sm_70 and later. A DEPBAR, which names its scoreboard in an operand, counts as waiting for it.
ControlBits ReadControlBits(const Word& word);

}  // namespace coalcheck::machine_code

// SPDX-License-Identifier: Apache-2.0
//
// The 21 control bits, 105 to 125: stall 4, yield 1, scoreboard for results 3, for operands 3,
// waits 6, reuse of operands 4. docs/cubins.md says how this was proved.
#include "libcoalcheck/machine_code/control_bits.h"

namespace coalcheck::machine_code {
namespace {

constexpr std::uint32_t kDepbar = 0x11a;

std::optional<Scoreboard> ScoreboardAt(const Word& word, unsigned first) {
  const std::uint32_t number = word.Bits(first, 3);
  if (number >= kScoreboards) return std::nullopt;  // 7: none
  return static_cast<Scoreboard>(number);
}

}  // namespace

ControlBits ReadControlBits(const Word& word) {
  ControlBits bits;
  bits.stall_cycles = static_cast<std::uint8_t>(word.Bits(105, 4));
  bits.until_written = ScoreboardAt(word, 110);
  bits.until_read = ScoreboardAt(word, 113);
  bits.waits = static_cast<std::uint8_t>(word.Bits(116, 6));
  if (word.opcode() == kDepbar) {
    if (const auto named = ScoreboardAt(word, 44)) {
      bits.waits = static_cast<std::uint8_t>(bits.waits | 1U << *named);
    }
  }
  return bits;
}

}  // namespace coalcheck::machine_code

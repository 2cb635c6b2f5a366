// SPDX-License-Identifier: Apache-2.0
//
// Bit by bit, as the hardware does it.
#include "libcoalcheck/machine_code/bit_functions.h"

#include <algorithm>

namespace coalcheck::machine_code {

std::uint32_t LogicOf(std::uint32_t table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const auto where = [](std::uint32_t bits, bool set) { return set ? bits : ~bits; };
  std::uint32_t result = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if (((table >> row) & 1U) == 0) continue;
    result |= where(a, (row & 4U) != 0) & where(b, (row & 2U) != 0) & where(c, (row & 1U) != 0);
  }
  return result;
}

std::optional<std::uint32_t> ShiftOf(const Word& word, std::uint32_t a, std::uint32_t b,
                                     std::uint32_t c) {
  constexpr std::uint32_t kSigned = 2;
  constexpr std::uint32_t kUnsigned = 3;
  const std::uint32_t type = word.Bits(73, 2);
  if (type != kSigned && type != kUnsigned) return std::nullopt;
  const bool wraps = word.Bits(75, 1) != 0;
  const bool right = word.Bits(76, 1) != 0;
  const bool upper_word = word.Bits(80, 1) != 0;
  const std::uint32_t by = wraps ? b % 32 : std::min(b, 32U);
  const std::uint64_t both = std::uint64_t{c} << 32U | a;
  std::uint64_t shifted = right ? both >> by : both << by;
  if (right && type == kSigned) {
    shifted = static_cast<std::uint64_t>(static_cast<std::int64_t>(both) >> by);
  }
  return static_cast<std::uint32_t>(upper_word ? shifted >> 32U : shifted);
}

}  // namespace coalcheck::machine_code

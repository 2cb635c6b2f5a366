// SPDX-License-Identifier: Apache-2.0
//
// LOP3: any function of the bits of three values. Followed where it masks, joins disjoint bits, or
// inverts.
#include <array>

#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

// Which bits of the result are a bit of one of the inputs, and which are 1.
struct Parts {
  std::array<std::uint32_t, 3> kept{};
  std::array<std::uint32_t, 3> inverted{};
  std::uint32_t ones = 0;
};

// Which single input a row of eight results follows, given which inputs may be set at all.
bool Choose(std::uint32_t table, const std::array<bool, 3>& may_be_set, std::uint32_t bit,
            Parts& parts) {
  // Index 4a + 2b + c into the table; rows that cannot occur do not count.
  std::uint32_t possible = 0;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const bool occurs = (may_be_set[0] || (i & 4U) == 0) && (may_be_set[1] || (i & 2U) == 0) &&
                        (may_be_set[2] || (i & 1U) == 0);
    if (occurs) possible |= 1U << i;
  }
  const std::uint32_t results = table & possible;
  if (results == 0) return true;
  if (results == possible) {
    parts.ones |= bit;
    return true;
  }
  constexpr std::array<std::uint32_t, 3> kInputs{0xf0, 0xcc, 0xaa};
  for (std::size_t i = 0; i < 3; ++i) {
    if (results == (kInputs[i] & possible)) {
      parts.kept[i] |= bit;
      return true;
    }
    if (results == (~kInputs[i] & possible)) {
      parts.inverted[i] |= bit;
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<Polynomial> Analysis::Logic(std::uint32_t n) {
  const machine_code::Word& word = code_.words()[n];
  const std::optional<Operand> second = B(n);
  const std::optional<Operand> third = C(n);
  if (!second || !third) return std::nullopt;
  const std::array<Polynomial, 3> inputs{A(n).word, second->word, third->word};
  const std::uint32_t table = word.Bits(72, 8);
  std::array<std::uint32_t, 3> possible{};
  std::array<std::uint32_t, 3> certain{};
  for (std::size_t i = 0; i < 3; ++i) {
    possible[i] = atoms_.PossibleBits(inputs[i]);
    if (const auto constant = inputs[i].constant()) {
      possible[i] = certain[i] = static_cast<std::uint32_t>(*constant >> 32U);
    }
  }
  constexpr std::array<std::uint32_t, 3> kInputs{0xf0, 0xcc, 0xaa};
  Parts parts;
  for (std::uint32_t at = 0; at < 32; ++at) {
    const std::uint32_t bit = 1U << at;
    std::uint32_t row = table;
    std::array<bool, 3> may_be_set{};
    for (std::size_t i = 0; i < 3; ++i) {
      may_be_set[i] = (possible[i] & bit) != 0;
      if ((certain[i] & bit) == 0) continue;
      // Rows where this input is 0 are made those where it is 1.
      const std::uint32_t shift = 4U >> i;
      const std::uint32_t set = row & kInputs[i];
      row = set | set >> shift;
    }
    // a|b|c of bits that only one input can have is that input's bit.
    if (!Choose(row, may_be_set, bit, parts)) return std::nullopt;
  }
  Polynomial result(parts.ones);
  for (std::size_t i = 0; i < 3; ++i) {
    if (parts.kept[i] != 0) result.Add(atoms_.And(inputs[i], parts.kept[i]));
    if (parts.inverted[i] == 0) continue;
    // ~x, on some bits, is those bits less x's.
    result.Add(Polynomial(parts.inverted[i]));
    result.Add(atoms_.And(inputs[i], parts.inverted[i]), ~std::uint64_t{0});
  }
  return atoms_.LowWord(result);
}

}  // namespace coalcheck::address

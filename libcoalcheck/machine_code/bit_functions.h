// SPDX-License-Identifier: Apache-2.0
//
// What the instructions LOP3 and SHF compute.
#pragma once

#include <cstdint>
#include <optional>

#include "libcoalcheck/machine_code/instruction.h"

namespace coalcheck::machine_code {

// LOP3: bit (4 a + 2 b + c) of the table is the result for these bits of the operands.
std::uint32_t LogicOf(std::uint32_t table, std::uint32_t a, std::uint32_t b, std::uint32_t c);

// SHF of 32 bits: a word of the third and the first operand together, shifted. Empty: it is of 64.
std::optional<std::uint32_t> ShiftOf(const Word& word, std::uint32_t a, std::uint32_t b,
                                     std::uint32_t c);

}  // namespace coalcheck::machine_code

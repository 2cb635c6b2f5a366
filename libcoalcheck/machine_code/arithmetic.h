// SPDX-License-Identifier: Apache-2.0
//
// What instructions compute of whole numbers, and where their operands stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "libcoalcheck/machine_code/instruction.h"

namespace coalcheck::machine_code {

// Where an operand stands in an instruction, by its first bit.
inline constexpr unsigned kFirstPlace = 24;
inline constexpr unsigned kSecondPlace = 32;  // an immediate or a place in constant memory, too
inline constexpr unsigned kThirdPlace = 64;

// What an instruction computes from its first operands.
struct Arithmetic {
  std::size_t operands = 0;
  double (*function)(const Word& word, double a, double b, double c) = nullptr;
  bool has_upper_word = false;  // its second register is taken for 0
};

// Empty where it is not evaluated. Of sums and products of 64 bits the lower half is.
std::optional<Arithmetic> ArithmeticOf(const Word& word, std::uint32_t sm);

// Whether it gives the one or the other of two values; the first may be a sum.
bool Chooses(const Word& word);
bool ChoosesOfSum(const Word& word);

// Whether its registers are uniform ones.
bool IsUniform(const Word& word);
// Whether what stands in that place is subtracted.
bool IsNegated(const Word& word, unsigned place);

// Whether it adds two or three operands.
bool IsSum(const Word& word, std::uint32_t sm);

// What 32 bits say as a number with a sign.
double SignedOf(std::uint32_t bits);
// What 32 bits hold of the value.
double Wrapped(double value);

}  // namespace coalcheck::machine_code

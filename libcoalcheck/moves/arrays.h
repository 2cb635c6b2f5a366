// SPDX-License-Identifier: Apache-2.0
//
// Which array an access is of: the pointer that its address begins with.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

// The parameter that an address begins with, counted from 0; as the next one.
std::optional<std::uint32_t> PointerIn(const address::FunctionFormulas& formulas,
                                       const address::Formula& address);

// The address without constants and without the pointers and variables that it begins with.
address::Formula IndexIn(const address::FunctionFormulas& formulas,
                         const address::Formula& address);

// A pointer that the kernel was given: the parameter, counted from 0, and the byte in it.
struct ArrayPointer {
  std::uint32_t parameter = ptx::kNone;  // kNone: not known
  std::uint32_t byte = 0;
  friend auto operator<=>(const ArrayPointer&, const ArrayPointer&) = default;
};

// What an access's address begins with. Empty where it does not begin with exactly one pointer that
// the kernel was given.
std::optional<ArrayPointer> ArrayOf(const Subject& subject, std::uint32_t instruction);

// Whether it begins with a variable of the module.
bool IsOfVariable(const Subject& subject, std::uint32_t instruction);

// Where a pointer points to in a launch; empty where it is not known.
std::optional<std::uint64_t> PlaceOf(const ptx::Function& function,
                                     const address::LaunchValues& launch, ArrayPointer pointer);
std::optional<std::uint64_t> PlaceOf(const Subject& subject, ArrayPointer pointer);

// What accesses of one array and one kind have in common.
struct ArrayAccess {
  ArrayPointer pointer;  // where it is not known, `instruction` tells
  std::uint32_t instruction = 0;
  ptx::Op op = ptx::Op::kOther;
  friend auto operator<=>(const ArrayAccess&, const ArrayAccess&) = default;
};
ArrayAccess ArrayAccessOf(const Subject& subject, std::uint32_t instruction);

}  // namespace coalcheck::moves

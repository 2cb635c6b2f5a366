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

// The parameter that an access's address begins with, counted from 0. Empty where it does not
// begin with exactly one pointer that the kernel was given.
std::optional<std::uint32_t> ArrayOf(const Subject& subject, std::uint32_t instruction);

// Where the argument with that number points; empty where it is not known.
std::optional<std::uint64_t> PlaceOf(const Subject& subject, std::uint32_t parameter);

// What an atom that is an integer argument was in the launch; empty where it is something else.
std::optional<std::uint64_t> ValueOf(const Subject& subject, const address::FormulaAtom& atom);

// What accesses of one array and one kind have in common.
struct ArrayAccess {
  std::uint32_t parameter = 0;  // ptx::kNone: not known, and `instruction` tells
  std::uint32_t instruction = 0;
  ptx::Op op = ptx::Op::kOther;
  friend auto operator<=>(const ArrayAccess&, const ArrayAccess&) = default;
};
ArrayAccess ArrayAccessOf(const Subject& subject, std::uint32_t instruction);

}  // namespace coalcheck::moves

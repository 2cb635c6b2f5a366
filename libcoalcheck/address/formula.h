// SPDX-License-Identifier: Apache-2.0
//
// An address as arithmetic over what a kernel starts from: thread and block indices, parameters,
// rounds of loops, loaded values. A formula is a polynomial; what is no sum or product of integers
// is an atom in it, and equal atoms are one.
#pragma once

#include <absl/container/node_hash_map.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "libcoalcheck/address/polynomial.h"

namespace coalcheck::address {

// In bytes where it is an address. Written as if index arithmetic did not overflow.
using Formula = Polynomial;

enum class FormulaKind : std::uint8_t {
  kSpecial,     // a: a ptx::Special
  kParameter,   // a: which, counted from 0; b: byte in it
  kSymbol,      // a: the address of a variable, by its number in the function
  kRound,       // a: a loop; rounds before this one
  kAllRounds,   // a: a loop; rounds it had when it was left, 0 where it was passed by
  kLoaded,      // a: the instruction that loads it; b: element; arguments: the address
  kReturned,    // a: the instruction that reads what a called function gives back
  kLoopValue,   // a: a register, b: the header of the loop that changes it; arguments: its start
  kLoopSum,     // a, b: the same, where a loop adds something to it; arguments: none
  kComputed,    // a: an instruction that is no integer arithmetic; b: result; arguments: operands
  kFunction,    // a: an instruction whose ptx::Op is said by its name; arguments: operands
  kExchanged,   // a: an instruction by which lanes exchange values; b: result; arguments
  kLongSum,     // arguments: two summands
  kProduct,     // arguments: two factors
  kQuotient,    // a: a Rounding; arguments: dividend, divisor
  kRemainder,   // a: a Rounding; arguments: dividend, divisor
  kSignBits,    // a: bits; 2^a - 1 where the argument is negative, else 0
  kWrapped,     // a: bits; the argument modulo 2^a
  kPowerOfTwo,  // argument: the exponent
  kAnd,         // arguments: two
  kOr,
  kXor,
  kMin,
  kMax,
  kAbs,      // argument: one
  kCompare,  // a: a ptx::Compare; arguments: two; 1 when it holds, else 0
  kSelect,   // arguments: a condition, the value where it is not 0, the value where it is
  kMerge,    // a: the instruction where paths meet; b: how many of the arguments are values, the
             // others are conditions that decide between them
  kUnknown,  // a: the instruction that computes it
};

enum class Rounding : std::uint8_t { kDown, kToZero };

struct FormulaAtom {
  FormulaKind kind = FormulaKind::kUnknown;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::vector<Formula> arguments;

  friend bool operator==(const FormulaAtom&, const FormulaAtom&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const FormulaAtom& atom) {
    return H::combine(std::move(hash), atom.kind, atom.a, atom.b, atom.arguments);
  }
};

// What values a formula may have.
struct FormulaBounds {
  static constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();
  bool may_be_negative = true;
  std::uint64_t most = kUnbounded;
};

// All atoms of one function. An atom's arguments are made of atoms with lower numbers.
class FormulaAtoms {
 public:
  // Beyond as many, all that is new is one unknown.
  static constexpr std::size_t kMostAtoms = 1U << 17U;
  // And beyond as many terms of their arguments.
  static constexpr std::size_t kMostTerms = std::size_t{1} << 21U;

  // The number of an equal atom, or a new one with these bounds.
  AtomId Number(FormulaAtom atom, FormulaBounds bounds);
  const FormulaAtom& operator[](AtomId id) const { return *atoms_[id]; }
  std::size_t size() const { return atoms_.size(); }
  // Of all atoms' arguments.
  std::size_t terms() const { return terms_; }

  // Terms that were looked at, as a measure of the time.
  void Spend(std::size_t terms) { work_ += terms; }
  std::uint64_t work() const { return work_; }

  FormulaBounds BoundsOf(AtomId id) const { return bounds_[id]; }
  FormulaBounds BoundsOf(const Formula& formula) const;
  // The atom that the formula is; empty when it is more or less than one.
  std::optional<AtomId> Alone(const Formula& formula) const;
  // The same, of one kind.
  const FormulaAtom* Alone(const Formula& formula, FormulaKind kind) const;

 private:
  absl::node_hash_map<FormulaAtom, AtomId> numbers_;
  std::size_t terms_ = 0;  // of their arguments
  std::uint64_t work_ = 0;
  std::vector<const FormulaAtom*> atoms_;
  std::vector<FormulaBounds> bounds_;
};

}  // namespace coalcheck::address

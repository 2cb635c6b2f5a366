// SPDX-License-Identifier: Apache-2.0
//
// Integers of 64 bits that wrap, as the GPU computes addresses.
#include "tests/unit/address/formula_value.h"

#include <algorithm>
#include <vector>

namespace coalcheck::address {
namespace {

using Number = std::int64_t;

Number Wrapped(std::uint64_t bits) { return static_cast<Number>(bits); }

// Negative numbers may be meant as unsigned ones.
std::optional<Number> Quotient(Number x, Number y) {
  if (y <= 0 || x < 0) return std::nullopt;
  return x / y;
}

bool Holds(ptx::Compare compare, Number x, Number y) {
  switch (compare) {
    case ptx::Compare::kEq:
      return x == y;
    case ptx::Compare::kNe:
      return x != y;
    case ptx::Compare::kLt:
      return x < y;
    case ptx::Compare::kLe:
      return x <= y;
    case ptx::Compare::kGt:
      return x > y;
    default:
      return x >= y;
  }
}

std::optional<Number> Operation(const FormulaAtom& atom, const std::vector<Number>& of) {
  const auto bits = [](Number number) { return static_cast<std::uint64_t>(number); };
  switch (atom.kind) {
    case FormulaKind::kLongSum:
      return Wrapped(bits(of[0]) + bits(of[1]));
    case FormulaKind::kProduct:
      return Wrapped(bits(of[0]) * bits(of[1]));
    case FormulaKind::kQuotient:
      return Quotient(of[0], of[1]);
    case FormulaKind::kRemainder: {
      const auto quotient = Quotient(of[0], of[1]);
      if (!quotient) return std::nullopt;
      return Wrapped(bits(of[0]) - bits(*quotient) * bits(of[1]));
    }
    case FormulaKind::kSignBits:
      return of[0] < 0 ? Number{1} * ((std::int64_t{1} << atom.a) - 1) : 0;
    case FormulaKind::kWrapped:
      return Wrapped(bits(of[0]) & ((std::uint64_t{1} << atom.a) - 1));
    case FormulaKind::kPowerOfTwo:
      return of[0] < 0 || of[0] > 63 ? std::nullopt
                                     : std::optional(Wrapped(std::uint64_t{1} << of[0]));
    case FormulaKind::kAnd:
      return of[0] & of[1];
    case FormulaKind::kOr:
      return of[0] | of[1];
    case FormulaKind::kXor:
      return of[0] ^ of[1];
    case FormulaKind::kMin:
      return std::min(of[0], of[1]);
    case FormulaKind::kMax:
      return std::max(of[0], of[1]);
    case FormulaKind::kAbs:
      return of[0] < 0 ? -of[0] : of[0];
    case FormulaKind::kCompare:
      return Holds(static_cast<ptx::Compare>(atom.a), of[0], of[1]) ? 1 : 0;
    case FormulaKind::kSelect:
      return of[0] != 0 ? of[1] : of[2];
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Number> ValueOf(const FormulaAtoms& atoms, const Formula& formula,
                              const LeafValue& leaf) {
  std::uint64_t sum = 0;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    std::uint64_t product = coefficient;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const FormulaAtom& atom = atoms[monomial.atom(i)];
      std::optional<Number> value;
      if (atom.arguments.empty()) {
        value = leaf(atom);
      } else {
        std::vector<Number> arguments;
        for (const Formula& argument : atom.arguments) {
          const auto one = ValueOf(atoms, argument, leaf);
          if (!one) return std::nullopt;
          arguments.push_back(*one);
        }
        value = Operation(atom, arguments);
      }
      if (!value) return std::nullopt;
      product *= static_cast<std::uint64_t>(*value);
    }
    sum += product;
  }
  return Wrapped(sum);
}

}  // namespace coalcheck::address

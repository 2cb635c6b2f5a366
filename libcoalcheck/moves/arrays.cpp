// SPDX-License-Identifier: Apache-2.0
//
// Reads the pointer off the formula of the address.
#include "libcoalcheck/moves/arrays.h"

#include <algorithm>
#include <cstring>

namespace coalcheck::moves {
namespace {

constexpr std::uint32_t kPointerBytes = 8;

bool IsPointer(const ptx::Function& function, const address::FormulaAtom& atom) {
  if (atom.kind != address::FormulaKind::kParameter || atom.a >= function.parameters.size()) {
    return false;
  }
  return atom.b == 0 && function.parameters[atom.a].bytes == kPointerBytes;
}

// What stands in the sum by itself, neither multiplied nor scaled.
std::vector<const address::FormulaAtom*> PlainTerms(const address::FunctionFormulas& formulas,
                                                    const address::Formula& sum) {
  std::vector<const address::FormulaAtom*> plain;
  for (const auto& [monomial, coefficient] : sum.terms()) {
    if (monomial.degree() != 1 || coefficient != 1) continue;
    plain.push_back(&formulas.atoms()[monomial.atom(0)]);
  }
  return plain;
}

// A member of a structure that is passed by value; its type is not known, and its value tells.
std::optional<ArrayPointer> PointerInStructure(const Subject& subject,
                                               const address::Formula& address) {
  constexpr std::uint64_t kLowestPointer = std::uint64_t{1} << 32U;
  std::optional<ArrayPointer> found;
  for (const address::FormulaAtom* atom : PlainTerms(subject.formulas, address)) {
    if (atom->kind != address::FormulaKind::kParameter) continue;
    const auto place = PlaceOf(subject, {atom->a, atom->b});
    if (!place || *place < kLowestPointer) continue;
    if (found) return std::nullopt;
    found = ArrayPointer{atom->a, atom->b};
  }
  return found;
}

}  // namespace

std::optional<std::uint32_t> PointerIn(const address::FunctionFormulas& formulas,
                                       const address::Formula& address) {
  std::optional<std::uint32_t> found;
  for (const address::FormulaAtom* atom : PlainTerms(formulas, address)) {
    if (!IsPointer(formulas.function(), *atom)) continue;
    if (found) return std::nullopt;
    found = atom->a;
  }
  return found;
}

address::Formula IndexIn(const address::FunctionFormulas& formulas,
                         const address::Formula& address) {
  const auto is_begin = [&](const address::Monomial& monomial, std::uint64_t coefficient) {
    if (monomial.degree() == 0) return true;
    if (monomial.degree() > 1 || coefficient != 1) return false;
    const address::FormulaAtom& atom = formulas.atoms()[monomial.atom(0)];
    return atom.kind == address::FormulaKind::kSymbol || IsPointer(formulas.function(), atom);
  };
  address::Formula index;
  for (const auto& [monomial, coefficient] : address.terms()) {
    if (!is_begin(monomial, coefficient)) index.Add(monomial, coefficient);
  }
  return index;
}

std::optional<ArrayPointer> ArrayOf(const Subject& subject, std::uint32_t instruction) {
  const address::Formula* formula = subject.formulas.Of(instruction);
  if (formula == nullptr) return std::nullopt;
  if (const auto parameter = PointerIn(subject.formulas, *formula)) {
    return ArrayPointer{*parameter, 0};
  }
  return PointerInStructure(subject, *formula);
}

bool IsOfVariable(const Subject& subject, std::uint32_t instruction) {
  const address::Formula* formula = subject.formulas.Of(instruction);
  return formula != nullptr &&
         std::ranges::any_of(PlainTerms(subject.formulas, *formula), [](const auto* atom) {
           return atom->kind == address::FormulaKind::kSymbol;
         });
}

std::optional<std::uint64_t> PlaceOf(const ptx::Function& function,
                                     const address::LaunchValues& launch, ArrayPointer pointer) {
  const auto& parameters = function.parameters;
  if (pointer.parameter >= parameters.size() || !launch.arguments) return std::nullopt;
  const std::uint64_t offset = std::uint64_t{parameters[pointer.parameter].offset} + pointer.byte;
  if (offset + kPointerBytes > launch.arguments->size()) return std::nullopt;
  std::uint64_t place = 0;
  std::memcpy(&place, launch.arguments->data() + offset, kPointerBytes);
  return place;
}

std::optional<std::uint64_t> PlaceOf(const Subject& subject, ArrayPointer pointer) {
  return PlaceOf(subject.program.function(), subject.launch, pointer);
}

ArrayAccess ArrayAccessOf(const Subject& subject, std::uint32_t instruction) {
  const auto pointer = ArrayOf(subject, instruction);
  const ptx::Op op = subject.program.function().instructions[instruction].code.op;
  if (!pointer) return {{}, instruction, op};
  return {*pointer, 0, op};
}

}  // namespace coalcheck::moves

// SPDX-License-Identifier: Apache-2.0
//
// Reads the pointer off the formula of the address.
#include "libcoalcheck/moves/arrays.h"

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

}  // namespace

std::optional<std::uint32_t> PointerIn(const address::FunctionFormulas& formulas,
                                       const address::Formula& address) {
  std::optional<std::uint32_t> found;
  for (const auto& [monomial, coefficient] : address.terms()) {
    if (monomial.degree() != 1 || coefficient != 1) continue;
    const address::FormulaAtom& atom = formulas.atoms()[monomial.atom(0)];
    if (!IsPointer(formulas.function(), atom)) continue;
    if (found) return std::nullopt;
    found = atom.a;
  }
  return found;
}

std::optional<std::uint32_t> ArrayOf(const Subject& subject, std::uint32_t instruction) {
  const address::Formula* formula = subject.formulas.Of(instruction);
  return formula == nullptr ? std::nullopt : PointerIn(subject.formulas, *formula);
}

std::optional<std::uint64_t> PlaceOf(const Subject& subject, std::uint32_t parameter) {
  const auto& parameters = subject.program.function().parameters;
  if (parameter >= parameters.size() || !subject.launch.arguments) return std::nullopt;
  const std::uint32_t offset = parameters[parameter].offset;
  if (offset + kPointerBytes > subject.launch.arguments->size()) return std::nullopt;
  std::uint64_t place = 0;
  std::memcpy(&place, subject.launch.arguments->data() + offset, kPointerBytes);
  return place;
}

std::optional<std::uint64_t> ValueOf(const Subject& subject, const address::FormulaAtom& atom) {
  const auto& parameters = subject.program.function().parameters;
  const bool is_argument = atom.kind == address::FormulaKind::kParameter && atom.b == 0 &&
                           atom.a < parameters.size() && subject.launch.arguments.has_value();
  if (!is_argument) return std::nullopt;
  const ptx::Parameter& one = parameters[atom.a];
  const bool is_integer =
      one.bytes == one.type.bytes && one.type.IsInteger() && (one.bytes == 4 || one.bytes == 8);
  if (!is_integer || one.offset + one.bytes > subject.launch.arguments->size()) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  std::memcpy(&value, subject.launch.arguments->data() + one.offset, one.bytes);
  return value;
}

ArrayAccess ArrayAccessOf(const Subject& subject, std::uint32_t instruction) {
  const auto parameter = ArrayOf(subject, instruction);
  const ptx::Op op = subject.program.function().instructions[instruction].code.op;
  if (!parameter) return {ptx::kNone, instruction, op};
  return {*parameter, 0, op};
}

}  // namespace coalcheck::moves

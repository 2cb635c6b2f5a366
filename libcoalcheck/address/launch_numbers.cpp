// SPDX-License-Identifier: Apache-2.0
//
// The code says how wide an integer is, and the launch its bytes.
#include "libcoalcheck/address/launch_numbers.h"

#include <cstring>
#include <string_view>

namespace coalcheck::address {
namespace {

std::uint32_t BytesOfInteger(const ptx::Type& type) {
  const bool is_integer = type.IsInteger() && (type.bytes == 4 || type.bytes == 8);
  return is_integer ? std::uint32_t{type.bytes} : 0;
}

// 0 where it is no integer.
std::uint32_t BytesOf(const ptx::Function& function, const FormulaAtom& atom) {
  const ptx::Parameter& parameter = function.parameters[atom.a];
  if (atom.b == 0 && parameter.bytes == parameter.type.bytes) return BytesOfInteger(parameter.type);
  for (const ptx::Instruction& one : function.instructions) {
    const bool is_load = one.code.op == ptx::Op::kLd && one.code.space == ptx::Space::kParam;
    if (!is_load || one.operand_count < 2) continue;
    const ptx::Operand& from = function.OperandsOf(one)[1];
    const bool is_of_it =
        from.kind == ptx::Operand::Kind::kSymbol && function.symbols[from.id].parameter == atom.a;
    const std::uint64_t bytes = one.code.type.bytes;
    const std::uint64_t behind = atom.b - from.value;
    if (is_of_it && bytes != 0 && atom.b >= from.value && behind < bytes * one.code.vector &&
        behind % bytes == 0) {
      return BytesOfInteger(one.code.type);
    }
  }
  return 0;
}

// Of the bytes at `offset`, as a signed number.
template <typename Number>
std::int64_t NumberAt(std::string_view arguments, std::uint64_t offset) {
  Number value = 0;
  std::memcpy(&value, arguments.data() + offset, sizeof(value));
  return value;
}

std::optional<std::int64_t> BlockSize(std::uint32_t threads, const LaunchValues& launch) {
  return launch.block_is_open ? std::nullopt : std::optional<std::int64_t>(threads);
}

std::optional<std::int64_t> GridSize(std::uint32_t blocks, const LaunchValues& launch) {
  return launch.grid_is_open ? std::nullopt : std::optional<std::int64_t>(blocks);
}

std::optional<std::int64_t> SizeNumber(const FormulaAtom& atom, const LaunchValues& launch) {
  switch (static_cast<ptx::Special>(atom.a)) {
    case ptx::Special::kNtidX:
      return BlockSize(launch.block.x, launch);
    case ptx::Special::kNtidY:
      return BlockSize(launch.block.y, launch);
    case ptx::Special::kNtidZ:
      return BlockSize(launch.block.z, launch);
    case ptx::Special::kNctaidX:
      return GridSize(launch.grid.x, launch);
    case ptx::Special::kNctaidY:
      return GridSize(launch.grid.y, launch);
    case ptx::Special::kNctaidZ:
      return GridSize(launch.grid.z, launch);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> ArgumentNumber(const ptx::Function& function, const FormulaAtom& atom,
                                           const LaunchValues& launch) {
  const bool is_argument = atom.kind == FormulaKind::kParameter &&
                           atom.a < function.parameters.size() && launch.arguments.has_value();
  if (!is_argument) return std::nullopt;
  const std::uint32_t bytes = BytesOf(function, atom);
  const std::uint64_t offset = std::uint64_t{function.parameters[atom.a].offset} + atom.b;
  if (bytes == 0 || offset + bytes > launch.arguments->size()) return std::nullopt;
  if (launch.known &&
      launch.known->substr(0, offset + bytes).find('\0', offset) != std::string_view::npos) {
    return std::nullopt;
  }
  return bytes == sizeof(std::int32_t) ? NumberAt<std::int32_t>(*launch.arguments, offset)
                                       : NumberAt<std::int64_t>(*launch.arguments, offset);
}

std::optional<std::int64_t> NumberOf(
    const Formula& formula, const std::function<std::optional<std::int64_t>(AtomId)>& number) {
  std::int64_t sum = 0;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    auto product = static_cast<std::int64_t>(coefficient);
    for (const AtomId id : monomial.atoms()) {
      const std::optional<std::int64_t> value = number(id);
      if (!value || __builtin_mul_overflow(product, *value, &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

std::optional<std::int64_t> NumberOf(const FunctionFormulas& formulas, const Formula& formula,
                                     const LaunchValues& launch) {
  return NumberOf(formula, [&](AtomId id) {
    const FormulaAtom& atom = formulas.atoms()[id];
    return atom.kind == FormulaKind::kSpecial ? SizeNumber(atom, launch)
                                              : ArgumentNumber(formulas.function(), atom, launch);
  });
}

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// Follows registers that have one definition each, and writes definitions before uses.
#include "libcoalcheck/address/straight_line.h"

#include "libcoalcheck/address/compute.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::kNone;

constexpr std::size_t kMostInstructions = 100'000;

class Builder {
 public:
  explicit Builder(const Function& function)
      : function_(function),
        definitions_(function.registers.size(), kNone),
        states_(function.instructions.size(), State::kOpen) {
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      for (const std::uint32_t id : ptx::Writes(function, function.instructions[i])) {
        definitions_[id] = definitions_[id] == kNone ? i : kMany;
      }
    }
    line_.function.name = function.name;
    line_.function.is_kernel = function.is_kernel;
    line_.function.parameters = function.parameters;
    line_.function.symbols = function.symbols;
    line_.function.registers = function.registers;
    line_.function.elements = function.elements;
  }

  void Add(std::uint32_t access) {
    const Instruction& instruction = function_.instructions[access];
    const ptx::Operand* address = ptx::GlobalAddress(function_, instruction);
    if (address == nullptr || address->kind != ptx::Operand::Kind::kRegister) return;
    if (Define(address->id)) Write(access);
  }

  StraightLine Take() && { return std::move(line_); }

 private:
  static constexpr std::uint32_t kMany = kNone - 1;
  enum class State : std::uint8_t { kOpen, kUnderWay, kWritten, kImpossible };

  bool IsStraight(const Instruction& instruction) const {
    if (instruction.guard != kNone) return false;
    const bool is_parameter =
        instruction.code.op == ptx::Op::kLd && instruction.code.space == ptx::Space::kParam;
    return is_parameter || ComputationOf(instruction.code).exists();
  }

  // Writes what the register is computed of, and then that; without recursion, as chains are long.
  bool Define(std::uint32_t wanted) {
    std::vector<std::uint32_t> path;
    const auto enter = [&](std::uint32_t id) {
      const std::uint32_t at = definitions_[id];
      if (at >= kMany || states_[at] == State::kImpossible || states_[at] == State::kUnderWay ||
          !IsStraight(function_.instructions[at])) {
        return false;
      }
      if (states_[at] == State::kOpen) path.push_back(at);
      return true;
    };
    if (!enter(wanted)) return false;
    while (!path.empty()) {
      const std::uint32_t at = path.back();
      const bool is_second = states_[at] == State::kUnderWay;
      if (is_second || states_[at] == State::kWritten) {
        path.pop_back();
        if (is_second) Write(at);
        continue;
      }
      states_[at] = State::kUnderWay;
      for (const std::uint32_t id : ptx::Reads(function_, function_.instructions[at])) {
        if (enter(id)) continue;
        for (const std::uint32_t one : path) {
          if (states_[one] == State::kUnderWay) states_[one] = State::kImpossible;
        }
        return false;
      }
    }
    return true;
  }

  void Write(std::uint32_t at) {
    Instruction instruction = function_.instructions[at];
    const auto operands = function_.OperandsOf(instruction);
    instruction.guard = kNone;
    instruction.first_operand = static_cast<std::uint32_t>(line_.function.operands.size());
    line_.function.operands.insert(line_.function.operands.end(), operands.begin(), operands.end());
    line_.function.instructions.push_back(instruction);
    line_.from.push_back(at);
    states_[at] = State::kWritten;
  }

  const Function& function_;
  std::vector<std::uint32_t> definitions_;  // by register: the instruction; kNone, kMany
  std::vector<State> states_;               // by instruction
  StraightLine line_;
};

}  // namespace

StraightLine StraightLineOf(const Function& function, const std::vector<std::uint32_t>& accesses) {
  if (function.instructions.size() > kMostInstructions) return {};
  Builder builder(function);
  for (const std::uint32_t access : accesses) builder.Add(access);
  return std::move(builder).Take();
}

}  // namespace coalcheck::address

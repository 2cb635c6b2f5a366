// SPDX-License-Identifier: Apache-2.0
//
// Follows registers that have one definition each, and writes definitions before uses.
#include "libcoalcheck/address/straight_line.h"

#include "libcoalcheck/address/compute.h"
#include "libcoalcheck/ptx/deciders.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::kNone;

constexpr std::size_t kMostInstructions = 100'000;
constexpr int kMostConditions = 64;  // one inside the other

using Deciders = std::vector<std::vector<ptx::Decider>>;

class Builder {
 public:
  Builder(const Function& function, const ptx::ControlFlow* flow)
      : function_(function),
        flow_(flow),
        definitions_(function.registers.size(), kNone),
        states_(function.instructions.size(), State::kOpen) {
    // Nothing is guarded where these are more than anybody has time for.
    if (flow != nullptr)
      deciders_ =
          ptx::DecidersOf(*flow, std::size_t{1} << 20U).value_or(Deciders(flow->blocks().size()));
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
    if (!Define(address->id)) return;
    const std::uint32_t guard = flow_ == nullptr ? kNone : GuardOf(access);
    Write(access);
    line_.function.instructions.back().guard = guard;
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

  // A predicate that holds for every lane that takes part in the access; kNone: it may be any.
  std::uint32_t GuardOf(std::uint32_t access) {
    std::uint32_t all = kNone;
    const auto add = [&](std::uint32_t id, bool negated) {
      if (id == kNone || !Define(id)) return;
      const std::uint32_t holds = negated ? Computed(ptx::Op::kNot, access, {id}) : id;
      all = all == kNone ? holds : Computed(ptx::Op::kAnd, access, {all, holds});
    };
    const Instruction& one = function_.instructions[access];
    add(one.guard, one.guard_negated);
    std::uint32_t block = flow_->BlockOf(access);
    for (int depth = 0; depth < kMostConditions; ++depth) {
      // Who comes again from behind the block came to it before.
      const ptx::Decider* only = nullptr;
      for (const ptx::Decider& decider : deciders_[block]) {
        if (flow_->Dominates(block, decider.block)) continue;
        if (only != nullptr) return all;
        only = &decider;
      }
      if (only == nullptr) return all;
      block = only->block;
      const Instruction& branch = function_.instructions[flow_->blocks()[block].end - 1];
      add(branch.guard, branch.guard_negated == only->is_taken);
    }
    return all;
  }

  // A new predicate, of the instruction's others.
  std::uint32_t Computed(ptx::Op op, std::uint32_t access, std::vector<std::uint32_t> ids) {
    const auto result = static_cast<std::uint32_t>(line_.function.registers.size());
    line_.function.registers.emplace_back();
    ids.insert(ids.begin(), result);
    Instruction instruction;
    instruction.code.op = op;
    instruction.code.type = {ptx::Type::Kind::kPredicate, 1};
    instruction.first_operand = static_cast<std::uint32_t>(line_.function.operands.size());
    instruction.operand_count = static_cast<std::uint32_t>(ids.size());
    for (const std::uint32_t id : ids) {
      ptx::Operand operand;
      operand.kind = ptx::Operand::Kind::kRegister;
      operand.id = id;
      line_.function.operands.push_back(operand);
    }
    line_.function.instructions.push_back(instruction);
    line_.from.push_back(access);
    return result;
  }

  void Write(std::uint32_t at) {
    Instruction instruction = function_.instructions[at];
    const auto operands = function_.OperandsOf(instruction);
    instruction.guard = kNone;
    instruction.guard_negated = false;
    instruction.first_operand = static_cast<std::uint32_t>(line_.function.operands.size());
    line_.function.operands.insert(line_.function.operands.end(), operands.begin(), operands.end());
    line_.function.instructions.push_back(instruction);
    line_.from.push_back(at);
    states_[at] = State::kWritten;
  }

  const Function& function_;
  const ptx::ControlFlow* flow_;
  Deciders deciders_;                       // by block
  std::vector<std::uint32_t> definitions_;  // by register: the instruction; kNone, kMany
  std::vector<State> states_;               // by instruction
  StraightLine line_;
};

}  // namespace

StraightLine StraightLineOf(const Function& function, const std::vector<std::uint32_t>& accesses,
                            const ptx::ControlFlow* flow) {
  if (function.instructions.size() > kMostInstructions) return {};
  Builder builder(function, flow);
  for (const std::uint32_t access : accesses) builder.Add(access);
  return std::move(builder).Take();
}

}  // namespace coalcheck::address

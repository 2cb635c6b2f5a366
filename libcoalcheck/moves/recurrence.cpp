// SPDX-License-Identifier: Apache-2.0
//
// Follows what a loop carries from one round to the next, but for what makes up addresses.
#include "libcoalcheck/moves/recurrence.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using ptx::Op;

// Registers that grow by the same number in every round: the number of a round tells what they are
// in it, whatever other rounds do.
class Counters {
 public:
  Counters(const ptx::Function& function, const ptx::ControlFlow& flow, std::uint32_t loop)
      : function_(function), flow_(flow), loop_(loop), writers_(function.registers.size()) {
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      if (!flow.IsIn(flow.BlockOf(i), loop)) continue;
      for (const std::uint32_t reg : ptx::Writes(function, function.instructions[i])) {
        writers_[reg].push_back(i);
      }
    }
  }

  bool Holds(std::uint32_t reg) const {
    std::uint32_t at = reg;
    for (std::size_t steps = 0; steps < kMostSteps; ++steps) {
      if (writers_[at].size() != 1 || !IsInEveryRound(writers_[at].front())) return false;
      at = GrownFrom(function_.instructions[writers_[at].front()]);
      if (at == reg || at == ptx::kNone) break;
    }
    return at == reg;
  }

 private:
  static constexpr std::size_t kMostSteps = 64;

  bool IsInEveryRound(std::uint32_t instruction) const {
    const std::uint32_t block = flow_.BlockOf(instruction);
    if (flow_.blocks()[block].loop != loop_) return false;
    const std::uint32_t header = flow_.loops()[loop_].header;
    return std::ranges::all_of(flow_.blocks()[header].previous, [&](std::uint32_t one) {
      return !flow_.IsIn(one, loop_) || flow_.Dominates(block, one);
    });
  }

  // The one register of the loop that an instruction adds a number of no round to; kNone where it
  // does something else.
  std::uint32_t GrownFrom(const ptx::Instruction& one) const {
    const bool adds = one.code.op == Op::kMov || one.code.op == Op::kAdd || one.code.op == Op::kSub;
    if (!adds || one.code.type.IsFloat() || one.guard != ptx::kNone) return ptx::kNone;
    const auto operands = function_.OperandsOf(one);
    std::uint32_t from = ptx::kNone;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const bool is_register = operands[i].kind == ptx::Operand::Kind::kRegister;
      if (!is_register || writers_[operands[i].id].empty()) continue;
      if (from != ptx::kNone || (one.code.op == Op::kSub && i == 2)) return ptx::kNone;
      from = operands[i].id;
    }
    return from;
  }

  const ptx::Function& function_;
  const ptx::ControlFlow& flow_;
  const std::uint32_t loop_;
  std::vector<std::vector<std::uint32_t>> writers_;  // instructions of the loop, by register
};

// Registers that are written in the loop and before it: what a round gets from the one before.
std::set<std::uint32_t> Carried(const ptx::Function& function, const ptx::ControlFlow& flow,
                                std::uint32_t loop) {
  std::vector<bool> inside(function.registers.size());
  std::vector<bool> outside(function.registers.size());
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const bool is_in = flow.IsIn(flow.BlockOf(i), loop);
    for (const std::uint32_t reg : ptx::Writes(function, function.instructions[i])) {
      (is_in ? inside : outside)[reg] = true;
    }
  }
  const ptx::Slice addresses = ptx::AddressSlice(function, flow);
  const Counters counters(function, flow, loop);
  std::set<std::uint32_t> carried;
  for (std::uint32_t reg = 0; reg < inside.size(); ++reg) {
    const bool is_carried = inside[reg] && outside[reg] && !addresses.registers[reg];
    if (is_carried && !counters.Holds(reg)) carried.insert(reg);
  }
  return carried;
}

// Whether an instruction puts one value of `sums` and others together in any order.
bool AddsUp(const ptx::Function& function, const ptx::Instruction& one,
            const std::set<std::uint32_t>& sums) {
  const auto operands = function.OperandsOf(one);
  const auto is_sum = [&](std::size_t i) {
    return i < operands.size() && operands[i].kind == ptx::Operand::Kind::kRegister &&
           sums.contains(operands[i].id);
  };
  if (one.guard != ptx::kNone && sums.contains(one.guard)) return false;
  switch (one.code.op) {
    case Op::kMov:
    case Op::kAdd:
    case Op::kMin:
    case Op::kMax:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      return true;
    case Op::kSub:
      return !is_sum(2);
    case Op::kMad:
      return !is_sum(1) && !is_sum(2);
    case Op::kSelp:  // one more is added or none; what is chosen instead of a sum ends it
      return is_sum(1) && is_sum(2) && !is_sum(3);
    default:
      return false;
  }
}

// Which of the values that a loop carries each register is made of.
using MadeOf = std::map<std::uint32_t, std::set<std::uint32_t>>;

// Of operations that may change places with each other: who adds, then takes the least, may not.
Op OperationOf(Op op) { return op == Op::kSub || op == Op::kMad ? Op::kAdd : op; }

// Whether each carried value goes on from what it was, by one operation alone.
bool AreSums(const ptx::Function& function, const ptx::ControlFlow& flow, std::uint32_t loop,
             const std::set<std::uint32_t>& carried, const MadeOf& made_of) {
  std::map<std::uint32_t, Op> operations;  // by carried value
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (!flow.IsIn(flow.BlockOf(i), loop)) continue;
    const ptx::Instruction& one = function.instructions[i];
    std::set<std::uint32_t> parts;
    for (const std::uint32_t reg : ptx::Reads(function, one)) {
      const auto found = made_of.find(reg);
      if (found != made_of.end()) parts.insert(found->second.begin(), found->second.end());
    }
    for (const std::uint32_t reg : ptx::Writes(function, one)) {
      if (carried.contains(reg) && !parts.contains(reg)) return false;
    }
    if (one.code.op == Op::kMov || one.code.op == Op::kSelp) continue;
    const Op operation = OperationOf(one.code.op);
    for (const std::uint32_t part : parts) {
      if (operations.try_emplace(part, operation).first->second != operation) return false;
    }
  }
  return true;
}

}  // namespace

Rounds RoundsOf(const ptx::Function& function, const ptx::ControlFlow& flow, std::uint32_t loop) {
  const std::set<std::uint32_t> carried = Carried(function, flow, loop);
  std::set<std::uint32_t> sums = carried;
  if (sums.empty()) return Rounds::kIndependent;
  MadeOf made_of;  // who takes two needs what one is in between
  for (const std::uint32_t reg : sums) made_of[reg] = {reg};
  for (bool grows = true; grows;) {
    grows = false;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      if (!flow.IsIn(flow.BlockOf(i), loop)) continue;
      const ptx::Instruction& one = function.instructions[i];
      const auto reads = ptx::Reads(function, one);
      const bool takes =
          std::ranges::any_of(reads, [&](std::uint32_t reg) { return sums.contains(reg); });
      if (!takes) continue;
      if (!AddsUp(function, one, sums)) return Rounds::kInOrder;
      std::set<std::uint32_t> all;
      for (const std::uint32_t reg : reads) all.insert(made_of[reg].begin(), made_of[reg].end());
      if (one.code.op != Op::kMov && all.size() > 1) return Rounds::kInOrder;
      for (const std::uint32_t reg : ptx::Writes(function, one)) {
        grows = sums.insert(reg).second || grows;
        const std::size_t before = made_of[reg].size();
        made_of[reg].insert(all.begin(), all.end());
        grows = grows || made_of[reg].size() != before;
      }
    }
  }
  return AreSums(function, flow, loop, carried, made_of) ? Rounds::kReduced : Rounds::kInOrder;
}

// In the order of the text: a register holds what was made of one round, or a sum of several.
Rounds UnrolledRounds(const ptx::Function& function,
                      const std::map<std::uint32_t, std::uint32_t>& loads) {
  std::set<std::uint32_t> all;
  for (const auto& [load, round] : loads) all.insert(round);
  std::map<std::uint32_t, std::set<std::uint32_t>> made_of;  // rounds, by register
  std::set<std::uint32_t> sums;
  Rounds worst = Rounds::kIndependent;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& one = function.instructions[i];
    std::set<std::uint32_t> rounds;
    bool takes_sum = false;
    bool differs = false;
    for (const std::uint32_t reg : ptx::Reads(function, one)) {
      const auto found = made_of.find(reg);
      if (found == made_of.end() || found->second.size() == all.size()) continue;
      differs = differs || (!rounds.empty() && rounds != found->second);
      takes_sum = takes_sum || sums.contains(reg);
      rounds.insert(found->second.begin(), found->second.end());
    }
    const auto load = loads.find(i);
    if (load != loads.end()) rounds = {load->second};
    if (takes_sum || differs) {
      if (!AddsUp(function, one, sums)) return Rounds::kInOrder;
      worst = Rounds::kReduced;
    }
    for (const std::uint32_t reg : ptx::Writes(function, one)) {
      if (rounds.empty()) continue;
      made_of[reg] = rounds;
      if (takes_sum || differs) sums.insert(reg);
    }
  }
  return worst;
}

}  // namespace coalcheck::moves

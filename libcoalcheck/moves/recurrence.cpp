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
  std::set<std::uint32_t> carried;
  for (std::uint32_t reg = 0; reg < inside.size(); ++reg) {
    if (inside[reg] && outside[reg] && !addresses.registers[reg]) carried.insert(reg);
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
    default:
      return false;
  }
}

}  // namespace

Rounds RoundsOf(const ptx::Function& function, const ptx::ControlFlow& flow, std::uint32_t loop) {
  std::set<std::uint32_t> sums = Carried(function, flow, loop);
  if (sums.empty()) return Rounds::kIndependent;
  // Which of the carried values each is made of: who takes two needs what one is in between.
  std::map<std::uint32_t, std::set<std::uint32_t>> made_of;
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
  return Rounds::kReduced;
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

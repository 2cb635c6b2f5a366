// SPDX-License-Identifier: Apache-2.0
//
// Follows what a loop carries from one round to the next, but for what makes up addresses.
#include "libcoalcheck/moves/recurrence.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using ptx::Op;

// What may be spent on one function, in registers that are looked at: about a second. Beyond it
// rounds are taken to need their order.
constexpr std::size_t kMostWork = std::size_t{1} << 23U;
// Carried values that one register may be made of, by moves alone.
constexpr std::size_t kMostParts = 16;

// False where so much is no longer left.
bool Spend(std::size_t work, std::size_t& left) {
  if (work > left) return false;
  left -= work;
  return true;
}

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
    const auto [entry, is_new] = in_every_round_.try_emplace(block);
    if (!is_new) return entry->second;
    const std::uint32_t header = flow_.loops()[loop_].header;
    return entry->second =
               std::ranges::all_of(flow_.blocks()[header].previous, [&](std::uint32_t one) {
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
  std::vector<std::vector<std::uint32_t>> writers_;       // instructions of the loop, by register
  mutable std::map<std::uint32_t, bool> in_every_round_;  // by block
};

// Registers that are written in the loop and before it: what a round gets from the one before.
std::set<std::uint32_t> Carried(const ptx::Function& function, const ptx::ControlFlow& flow,
                                std::uint32_t loop, const ptx::Slice& addresses) {
  std::vector<bool> inside(function.registers.size());
  std::vector<bool> outside(function.registers.size());
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const bool is_in = flow.IsIn(flow.BlockOf(i), loop);
    for (const std::uint32_t reg : ptx::Writes(function, function.instructions[i])) {
      (is_in ? inside : outside)[reg] = true;
    }
  }
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

// Of operations that may change places with each other: who adds, then takes the least, may not.
Op OperationOf(Op op) { return op == Op::kSub || op == Op::kMad ? Op::kAdd : op; }

// Which of the values that a loop carries each register is made of.
class CarriedValues {
 public:
  CarriedValues(const ptx::Function& function, const ptx::ControlFlow& flow, std::uint32_t loop,
                const std::set<std::uint32_t>& carried, std::size_t& work_left)
      : function_(function), carried_(carried), sums_(carried), work_left_(work_left) {
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      if (flow.IsIn(flow.BlockOf(i), loop)) inside_.push_back(i);
    }
  }

  // Whether each goes on from what it was, by one operation alone. False where that takes too long.
  bool AreSums() { return Follow() && GoOn(); }

 private:
  // False where something else is made of a value, or of two.
  bool Follow() {
    for (const std::uint32_t i : inside_) {
      for (const std::uint32_t reg : ptx::Reads(function_, function_.instructions[i])) {
        readers_[reg].push_back(i);
      }
    }
    for (const std::uint32_t reg : carried_) {
      made_of_[reg] = {reg};
      Wake(reg);
    }
    // In the order of the text, again and again: who takes two needs what one is in between.
    for (std::uint32_t at = 0; !awake_.empty(); ++at) {
      auto next = awake_.lower_bound(at);
      if (next == awake_.end()) next = awake_.begin();
      at = *next;
      awake_.erase(next);
      if (!Take(function_.instructions[at])) return false;
    }
    return true;
  }

  void Wake(std::uint32_t reg) {
    const auto found = readers_.find(reg);
    if (found != readers_.end()) awake_.insert(found->second.begin(), found->second.end());
  }

  // Adds what an instruction makes of the values that it reads.
  bool Take(const ptx::Instruction& one) {
    if (!AddsUp(function_, one, sums_)) return false;
    const std::optional<std::set<std::uint32_t>> parts = PartsOf(one);
    const std::size_t most = one.code.op == Op::kMov ? kMostParts : 1;
    if (!parts || parts->size() > most) return false;
    for (const std::uint32_t reg : ptx::Writes(function_, one)) {
      std::set<std::uint32_t>& of_written = made_of_[reg];
      const std::size_t before = of_written.size();
      of_written.insert(parts->begin(), parts->end());
      sums_.insert(reg);
      if (of_written.size() > kMostParts) return false;
      if (of_written.size() == before) continue;
      if (!Spend(readers_[reg].size(), work_left_)) return false;
      Wake(reg);
    }
    return true;
  }

  // Empty where nothing is left to be spent.
  std::optional<std::set<std::uint32_t>> PartsOf(const ptx::Instruction& one) {
    std::set<std::uint32_t> parts;
    for (const std::uint32_t reg : ptx::Reads(function_, one)) {
      const auto found = made_of_.find(reg);
      const std::size_t of_one = found == made_of_.end() ? 0 : found->second.size();
      if (!Spend(1 + of_one, work_left_)) return std::nullopt;
      if (of_one > 0) parts.insert(found->second.begin(), found->second.end());
    }
    return parts;
  }

  bool GoOn() {
    std::map<std::uint32_t, Op> operations;  // by carried value
    for (const std::uint32_t i : inside_) {
      const ptx::Instruction& one = function_.instructions[i];
      const std::optional<std::set<std::uint32_t>> parts = PartsOf(one);
      if (!parts) return false;
      for (const std::uint32_t reg : ptx::Writes(function_, one)) {
        if (carried_.contains(reg) && !parts->contains(reg)) return false;
      }
      if (one.code.op == Op::kMov || one.code.op == Op::kSelp) continue;
      const Op operation = OperationOf(one.code.op);
      for (const std::uint32_t part : *parts) {
        if (operations.try_emplace(part, operation).first->second != operation) return false;
      }
    }
    return true;
  }

  const ptx::Function& function_;
  const std::set<std::uint32_t>& carried_;
  std::set<std::uint32_t> sums_;  // registers that are made of some
  std::size_t& work_left_;
  std::vector<std::uint32_t> inside_;  // instructions of the loop
  std::map<std::uint32_t, std::vector<std::uint32_t>> readers_;
  std::map<std::uint32_t, std::set<std::uint32_t>> made_of_;
  std::set<std::uint32_t> awake_;  // instructions that read what has changed
};

Rounds RoundsOf(const ptx::Function& function, const ptx::ControlFlow& flow, std::uint32_t loop,
                const ptx::Slice& addresses, std::size_t& work_left) {
  const std::size_t once = function.instructions.size() + function.registers.size() +
                           function.operands.size() + function.elements.size();
  if (!Spend(once, work_left)) return Rounds::kInOrder;
  const std::set<std::uint32_t> carried = Carried(function, flow, loop, addresses);
  if (carried.empty()) return Rounds::kIndependent;
  CarriedValues values(function, flow, loop, carried, work_left);
  return values.AreSums() ? Rounds::kReduced : Rounds::kInOrder;
}

}  // namespace

Rounds WorstRoundsOf(const ptx::Function& function, const ptx::ControlFlow& flow,
                     const std::set<std::uint32_t>& loops) {
  Rounds worst = Rounds::kIndependent;
  if (loops.empty()) return worst;
  const ptx::Slice addresses = ptx::AddressSlice(function, flow);
  std::size_t work_left = kMostWork;
  for (const std::uint32_t loop : loops) {
    worst = std::max(worst, RoundsOf(function, flow, loop, addresses, work_left));
    if (worst == Rounds::kInOrder) break;
  }
  return worst;
}

// In the order of the text: a register holds what was made of one round, or a sum of several.
Rounds UnrolledRounds(const ptx::Function& function,
                      const std::map<std::uint32_t, std::uint32_t>& loads) {
  std::size_t work_left = kMostWork;
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
      if (!Spend(found->second.size(), work_left)) return Rounds::kInOrder;
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

// SPDX-License-Identifier: Apache-2.0
//
// Blocks in reverse post-order, so that what an instruction reads is known but for the registers
// that loops change.
#include "libcoalcheck/address/build_formula.h"

#include <algorithm>

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::address {
namespace {

constexpr std::size_t kMostDepth = 400;  // of blocks at which values meet, looked back at in one go
constexpr std::size_t kMostConditions = 32;

std::uint64_t Key(std::uint32_t reg, std::uint32_t block) {
  return std::uint64_t{block} << 32U | reg;
}

}  // namespace

FormulaBuilder::FormulaBuilder(const ptx::Function& function, const ptx::ControlFlow& flow,
                               FormulaAtoms& atoms)
    : function_(function),
      flow_(flow),
      atoms_(atoms),
      algebra_(atoms),
      relevant_(ptx::AddressSlice(function, flow).instructions),
      definitions_(function, flow, relevant_),
      single_(function.registers.size()),
      built_(flow.blocks().size()) {}

void FormulaBuilder::Build() {
  if (!definitions_.is_complete() || function_.instructions.empty()) return;
  for (const std::uint32_t block : flow_.order()) {
    BuildBlock(block);
    built_[block] = true;
    const ptx::Instruction& last = function_.instructions[flow_.blocks()[block].end - 1];
    if (ptx::EndsBlock(last) && last.guard != ptx::kNone &&
        relevant_[flow_.blocks()[block].end - 1]) {
      conditions_[block] = At(last.guard, block).value_or(Unknown(instruction_));
    }
  }
  CloseLoops();
}

void FormulaBuilder::BuildBlock(std::uint32_t block) {
  block_ = block;
  for (std::uint32_t i = flow_.blocks()[block].first; i < flow_.blocks()[block].end; ++i) {
    if (!relevant_[i]) continue;
    instruction_ = i;
    one_ = &function_.instructions[i];
    if (const ptx::Operand* address = ptx::GlobalAddress(function_, *one_)) AddAccess(*address);
    Define(i);
  }
}

void FormulaBuilder::AddAccess(const ptx::Operand& address) {
  constexpr ptx::Type kAddress{ptx::Type::Kind::kBits, 8};
  addresses_[instruction_] = Operand(address, kAddress);
  if (one_->guard != ptx::kNone) {
    guards_[instruction_].push_back(At(one_->guard, block_).value_or(Unknown(instruction_)));
  }
  const ptx::Operand* bytes = ptx::BytesRead(function_, *one_);
  if (bytes != nullptr && bytes->kind == ptx::Operand::Kind::kRegister) {
    guards_[instruction_].push_back(At(bytes->id, block_).value_or(Unknown(instruction_)));
  }
}

// Loops soon count beyond 16 bits.
bool FormulaBuilder::MayOverflow() const {
  const ptx::Opcode& code = one_->code;
  const bool is_short =
      code.type.bytes == 2 && code.mode != ptx::Mode::kWide && code.mode != ptx::Mode::kHi;
  if (!is_short || flow_.blocks()[block_].loop == ptx::kNone) return false;
  return code.op == ptx::Op::kAdd || code.op == ptx::Op::kSub || code.op == ptx::Op::kMul ||
         code.op == ptx::Op::kMad || code.op == ptx::Op::kNeg || code.op == ptx::Op::kShl;
}

// All results are computed before the first is written: an instruction may read what it writes.
void FormulaBuilder::Define(std::uint32_t instruction) {
  const std::vector<std::uint32_t> results = ptx::Writes(function_, *one_);
  std::vector<Formula> values;
  for (std::size_t i = 0; i < results.size(); ++i) values.push_back(Result(i));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::uint32_t reg = results[i];
    if (one_->guard != ptx::kNone) {
      const std::optional<Formula> before = At(reg, block_);
      const Formula guard = At(one_->guard, block_).value_or(Unknown(instruction));
      if (before) {
        values[i] = one_->guard_negated ? algebra_.Select(guard, *before, values[i])
                                        : algebra_.Select(guard, values[i], *before);
      }
    }
    Set(reg, block_, std::move(values[i]));
  }
}

void FormulaBuilder::Set(std::uint32_t reg, std::uint32_t block, Formula value) {
  if (atoms_.work() > kMostWork) left_ = 0;
  if (left_ == 0) value = Unknown(instruction_);
  Spend(1 + value.terms().size());
  if (definitions_.HasOne(reg)) {
    single_[reg] = std::move(value);
  } else {
    in_block_[Key(reg, block)] = std::move(value);
  }
}

// The value of a register at the end of a block; in the block that is being built, its value so
// far. Empty where no definition reaches.
std::optional<Formula> FormulaBuilder::At(std::uint32_t reg, std::uint32_t block) {
  if (definitions_.HasOne(reg)) return single_[reg];
  if (left_ == 0) return Unknown(instruction_);
  std::optional<Formula> found;
  std::uint32_t at = block;
  while (at != ptx::kNone) {
    Spend(1);
    if (const auto known = in_block_.find(Key(reg, at)); known != in_block_.end()) {
      found = known->second;
      break;
    }
    if (definitions_.Meet(reg, at)) {
      found = Met(reg, at);
      break;
    }
    at = flow_.blocks()[at].dominator;
  }
  if (found) {
    for (; block != at && left_ > 0; block = flow_.blocks()[block].dominator) {
      Spend(1 + found->terms().size());
      in_block_[Key(reg, block)] = *found;
    }
    in_block_[Key(reg, at)] = *found;
  }
  return found;
}

// The value at the beginning of a block where several definitions meet.
std::optional<Formula> FormulaBuilder::Met(std::uint32_t reg, std::uint32_t block) {
  const std::vector<std::uint32_t>& previous = flow_.blocks()[block].previous;
  const bool is_open = std::ranges::any_of(previous, [&](std::uint32_t from) {
    const bool is_reached = from == 0 || flow_.blocks()[from].dominator != ptx::kNone;
    return is_reached && (!built_[from] || flow_.Dominates(block, from));
  });
  // The conditions that decide between values may depend on the value that is asked for.
  const bool is_asked_for = asked_for_.contains(Key(reg, block));
  if (is_open || is_asked_for || asked_for_.size() >= kMostDepth) {
    const AtomId atom = atoms_.Number({FormulaKind::kLoopValue, reg, block, {}}, {});
    phis_.push_back({atom, reg, block, {}, {}});
    return Formula::Of(atom);
  }
  asked_for_.insert(Key(reg, block));
  std::vector<std::pair<std::uint32_t, Formula>> values;
  for (const std::uint32_t from : previous) {
    if (!built_[from]) continue;
    if (std::optional<Formula> value = At(reg, from)) values.emplace_back(from, *value);
  }
  std::optional<Formula> chosen;
  if (!values.empty()) chosen = Chosen(block, values);
  asked_for_.erase(Key(reg, block));
  return chosen;
}

// On which side of a branch the edge from one block to another lies: true where it is taken. Empty
// when it may be on both.
std::optional<bool> FormulaBuilder::SideOf(std::uint32_t branch, std::uint32_t from,
                                           std::uint32_t to) const {
  const std::vector<std::uint32_t>& next = flow_.blocks()[branch].next;
  if (next.size() != 2) return std::nullopt;
  for (std::size_t side = 0; side < 2; ++side) {
    const bool is_edge = from == branch && to == next[side];
    const bool is_behind = next[side] != to && flow_.blocks()[next[side]].previous.size() == 1 &&
                           flow_.Dominates(next[side], from);
    if (is_edge || is_behind) return side == 0;
  }
  return std::nullopt;
}

// The value where paths meet. Where one branch dominates them, it decides between two values; else
// it is one of several.
Formula FormulaBuilder::Chosen(std::uint32_t block,
                               const std::vector<std::pair<std::uint32_t, Formula>>& values) {
  const bool are_same = std::ranges::all_of(
      values, [&](const auto& value) { return value.second == values[0].second; });
  if (are_same) return values[0].second;
  const std::uint32_t branch = flow_.blocks()[block].dominator;
  std::optional<Formula> sides[2];
  bool is_choice = branch != ptx::kNone;
  for (const auto& [from, value] : values) {
    if (!is_choice) break;
    const std::optional<bool> taken = SideOf(branch, from, block);
    std::optional<Formula>& side = sides[taken.value_or(false) ? 0 : 1];
    is_choice = taken && (!side || *side == value);
    side = value;
  }
  if (is_choice && sides[0] && sides[1]) {
    const ptx::Instruction& last = function_.instructions[flow_.blocks()[branch].end - 1];
    const std::optional<Formula> guard =
        last.guard == ptx::kNone ? std::nullopt : At(last.guard, branch);
    if (guard && last.guard_negated) return algebra_.Select(*guard, *sides[1], *sides[0]);
    if (guard) return algebra_.Select(*guard, *sides[0], *sides[1]);
  }
  std::vector<Formula> formulas;
  for (const auto& value : values) formulas.push_back(value.second);
  return algebra_.Merge(flow_.blocks()[block].first, std::move(formulas), ConditionsOf(block));
}

// The conditions of the branches between a block and its dominator.
std::vector<Formula> FormulaBuilder::ConditionsOf(std::uint32_t block) {
  constexpr std::size_t kMostBlocks = 128;
  const std::uint32_t top = flow_.blocks()[block].dominator;
  std::vector<Formula> conditions;
  std::vector<std::uint32_t> work = flow_.blocks()[block].previous;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const std::uint32_t at = work[i];
    const ptx::Instruction& last = function_.instructions[flow_.blocks()[at].end - 1];
    const bool branches = flow_.blocks()[at].next.size() > 1 && last.guard != ptx::kNone;
    Spend(1 + conditions.size() + flow_.blocks()[at].previous.size());
    if (work.size() > kMostBlocks || conditions.size() >= kMostConditions || left_ == 0) {
      return {Unknown(flow_.blocks()[block].first)};
    }
    if (branches) {
      const std::optional<Formula> guard = At(last.guard, at);
      const Formula condition = guard.value_or(Unknown(flow_.blocks()[at].end - 1));
      if (std::ranges::find(conditions, condition) == conditions.end()) {
        conditions.push_back(condition);
      }
    } else if (flow_.blocks()[at].next.size() > 1) {
      conditions.push_back(Unknown(flow_.blocks()[at].end - 1));
    }
    if (at == top) continue;
    for (const std::uint32_t from : flow_.blocks()[at].previous) {
      if (!built_[from] || std::ranges::find(work, from) != work.end()) continue;
      work.push_back(from);
    }
  }
  return conditions;
}

// Asks for the values that registers changed by a loop have before the loop and at its end. Each
// answer may depend on further such registers.
void FormulaBuilder::CloseLoops() {
  for (std::size_t i = 0; i < phis_.size(); ++i) {
    const std::uint32_t reg = phis_[i].reg;
    const std::uint32_t header = phis_[i].header;
    if (left_ == 0) {
      phis_[i].start = phis_[i].next = Unknown(flow_.blocks()[header].first);
      continue;
    }
    std::vector<std::pair<std::uint32_t, Formula>> outside;
    std::vector<std::pair<std::uint32_t, Formula>> inside;
    for (const std::uint32_t from : flow_.blocks()[header].previous) {
      const std::optional<Formula> value = At(reg, from);
      if (!value) continue;
      (flow_.Dominates(header, from) ? inside : outside).emplace_back(from, *value);
    }
    const Formula unknown = Unknown(flow_.blocks()[header].first);
    phis_[i].start = outside.empty() ? unknown : Chosen(header, outside);
    phis_[i].next = inside.empty() ? unknown : Chosen(header, inside);
  }
}

Formula FormulaBuilder::Unknown(std::uint32_t instruction) {
  return algebra_.Atom({FormulaKind::kUnknown, instruction, 0, {}});
}

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// A backward closure over definitions, without regard to the order of instructions: what is
// relevant somewhere is relevant everywhere.
#include "libcoalcheck/ptx/slice.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "libcoalcheck/ptx/control_flow.h"

namespace coalcheck::ptx {
namespace {

bool HasResult(Op op) {
  switch (op) {
    case Op::kSt:
    case Op::kRed:
    case Op::kCpAsync:
    case Op::kBulkCopy:
    case Op::kBra:
    case Op::kBrx:
    case Op::kRet:
    case Op::kExit:
    case Op::kTrap:
    case Op::kNothing:
      return false;
    default:
      return true;
  }
}

// setp and shfl may have a second result behind a bar, which is an operand of its own here.
std::size_t Results(const Function& function, const Instruction& one) {
  if (!HasResult(one.code.op)) return 0;
  const auto operands = function.OperandsOf(one);
  const auto least = [&](std::size_t without) { return operands.size() > without ? 2U : 1U; };
  switch (one.code.op) {
    case Op::kSetp:
      return least(one.code.combine == Combine::kNone ? 3 : 4);
    case Op::kShfl:
      return least(5);  // d, a, b, c, mask
    case Op::kMatch:
      return least(3);
    case Op::kElect:
      return least(2);
    default:
      return 1;
  }
}

void AddRegisters(const Function& function, const Operand& operand,
                  std::vector<std::uint32_t>& registers) {
  if (operand.kind == Operand::Kind::kRegister) registers.push_back(operand.id);
  if (operand.kind != Operand::Kind::kVector) return;
  for (const Operand& element : function.ElementsOf(operand)) {
    if (element.kind == Operand::Kind::kRegister) registers.push_back(element.id);
  }
}

bool IsRoot(const Instruction& one) {
  return EndsBlock(one) || IsGlobalAccess(one) || one.code.op == Op::kCall;
}

// An instruction whose stores to thread-private memory an address may come back from.
bool KeepsForLater(const Instruction& one) {
  return one.code.op == Op::kSt &&
         (one.code.space == Space::kLocal || one.code.space == Space::kParam);
}

// Where a store keeps what a load brings back: the variable of a call's parameter, or kNone for all
// else that is thread-private, as pointers may lead to it.
std::uint32_t Keeper(const Function& function, const Instruction& one) {
  if (one.code.space != Space::kParam) return kNone;
  for (const Operand& operand : function.OperandsOf(one)) {
    if (operand.is_memory && operand.kind == Operand::Kind::kSymbol) return operand.id;
  }
  return kNone;
}

}  // namespace

std::vector<std::uint32_t> Writes(const Function& function, const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  const auto operands = function.OperandsOf(instruction);
  const std::size_t results = std::min(Results(function, instruction), operands.size());
  for (std::size_t i = 0; i < results; ++i) {
    if (!operands[i].is_memory) AddRegisters(function, operands[i], registers);
  }
  return registers;
}

std::vector<std::uint32_t> Reads(const Function& function, const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  if (instruction.guard != kNone) registers.push_back(instruction.guard);
  const auto operands = function.OperandsOf(instruction);
  const std::size_t results = std::min(Results(function, instruction), operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i >= results || operands[i].is_memory) AddRegisters(function, operands[i], registers);
  }
  return registers;
}

bool IsGlobalAccess(const Instruction& one) {
  const bool is_memory = one.code.op == Op::kLd || one.code.op == Op::kSt ||
                         one.code.op == Op::kAtom || one.code.op == Op::kRed ||
                         one.code.op == Op::kCpAsync;
  return is_memory && (one.code.space == Space::kGlobal || one.code.space == Space::kGeneric);
}

const Operand* GlobalAddress(const Function& function, const Instruction& one) {
  if (!IsGlobalAccess(one)) return nullptr;
  // cp.async names shared memory first.
  const bool is_second = one.code.op == Op::kCpAsync;
  const Operand* found = nullptr;
  for (const Operand& operand : function.OperandsOf(one)) {
    if (!operand.is_memory) continue;
    found = &operand;
    if (!is_second) break;
  }
  return found;
}

std::uint32_t WidthOf(const Function& function, const Instruction& access) {
  if (access.code.op != Op::kCpAsync) {
    return std::uint32_t{access.code.type.bytes} * access.code.vector;
  }
  const auto operands = function.OperandsOf(access);
  const bool says = operands.size() > 2 && operands[2].kind == Operand::Kind::kImmediate;
  const std::int64_t bytes = says ? operands[2].value : 0;
  return bytes == 4 || bytes == 8 || bytes == 16 ? static_cast<std::uint32_t>(bytes) : 0;
}

Slice AddressSlice(const Function& function) {
  const std::size_t count = function.instructions.size();
  std::vector<std::vector<std::uint32_t>> writers(function.registers.size());
  absl::flat_hash_map<std::uint32_t, std::vector<std::uint32_t>> keepers;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Instruction& one = function.instructions[i];
    for (const std::uint32_t id : Writes(function, one)) writers[id].push_back(i);
    if (KeepsForLater(one)) keepers[Keeper(function, one)].push_back(i);
  }
  Slice slice{std::vector<bool>(count), std::vector<bool>(function.registers.size())};
  std::vector<bool>& relevant = slice.instructions;
  std::vector<bool>& wanted = slice.registers;
  std::vector<std::uint32_t> work;
  const auto want = [&](std::uint32_t id) {
    if (wanted[id]) return;
    wanted[id] = true;
    for (const std::uint32_t i : writers[id]) {
      if (!relevant[i]) work.push_back(i);
      relevant[i] = true;
    }
  };
  const auto follow = [&](std::uint32_t i) {
    const Instruction& one = function.instructions[i];
    const bool reads_kept = one.code.op == Op::kLd &&
                            (one.code.space == Space::kLocal || one.code.space == Space::kParam ||
                             one.code.space == Space::kGeneric);
    if (auto kept = reads_kept ? keepers.find(Keeper(function, one)) : keepers.end();
        kept != keepers.end()) {
      for (const std::uint32_t keeper : kept->second) {
        if (!relevant[keeper]) work.push_back(keeper);
        relevant[keeper] = true;
      }
      keepers.erase(kept);
    }
    for (const std::uint32_t id : Reads(function, one)) want(id);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const Instruction& one = function.instructions[i];
    if (!IsRoot(one)) continue;
    relevant[i] = true;
    if (one.guard != kNone) want(one.guard);
    if (const Operand* address = GlobalAddress(function, one)) {
      if (address->kind == Operand::Kind::kRegister) want(address->id);
    } else {
      for (const std::uint32_t id : Reads(function, one)) want(id);
    }
  }
  while (!work.empty()) {
    const std::uint32_t i = work.back();
    work.pop_back();
    follow(i);
  }
  return slice;
}

}  // namespace coalcheck::ptx

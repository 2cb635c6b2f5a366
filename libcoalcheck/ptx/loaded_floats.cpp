// SPDX-License-Identifier: Apache-2.0
//
// Goes through the function until no register is added: each has to be written by loads, copies and
// operations that pass what is loaded alone.
#include "libcoalcheck/ptx/loaded_floats.h"

#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::ptx {
namespace {

constexpr int kMostPasses = 16;

bool BringsData(const Instruction& one) {
  return one.code.op == Op::kLd &&
         (one.code.space == Space::kGlobal || one.code.space == Space::kShared);
}

// The load that decides what the instruction writes.
std::uint32_t DecidedBy(const Function& function, std::uint32_t i,
                        const std::vector<std::uint32_t>& loads,
                        bool (*passes)(const Instruction&)) {
  const Instruction& one = function.instructions[i];
  if (one.guard != kNone) return kNone;
  if (BringsData(one)) return i;
  if (one.code.op != Op::kMov && !passes(one)) return kNone;
  for (const std::uint32_t id : Reads(function, one)) {
    if (loads[id] != kNone) return loads[id];
  }
  return kNone;
}

}  // namespace

bool IsFloatOperation(const Instruction& one) {
  switch (one.code.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kMad:
    case Op::kDiv:
    case Op::kMin:
    case Op::kMax:
    case Op::kAbs:
    case Op::kNeg:
    case Op::kSqrt:
    case Op::kRsqrt:
    case Op::kRcp:
    case Op::kEx2:
    case Op::kLg2:
    case Op::kSin:
    case Op::kCos:
    case Op::kTanh:
    case Op::kOther:
      return one.code.type.IsFloat();
    case Op::kSetp:
      return one.code.type.IsFloat() && one.code.combine == Combine::kNone;
    case Op::kCvt:
      return one.code.type.IsFloat() || one.code.from.IsFloat();
    default:
      return false;
  }
}

bool IsOperation(const Instruction& one) {
  return one.code.op >= Op::kMov && one.code.op <= Op::kCvt;
}

std::vector<std::uint32_t> LoadedValues(const Function& function,
                                        bool (*passes)(const Instruction&)) {
  std::vector<std::uint32_t> loads(function.registers.size(), kNone);
  std::vector<bool> has_other(function.registers.size());
  std::vector<std::uint32_t> writers(function.registers.size(), 0);
  for (const Instruction& one : function.instructions) {
    for (const std::uint32_t id : Writes(function, one)) ++writers[id];
  }
  bool is_new = true;
  for (int pass = 0; is_new && pass < kMostPasses; ++pass) {
    std::vector<std::uint32_t> found(function.registers.size(), kNone);
    has_other.assign(function.registers.size(), false);
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const std::uint32_t load = DecidedBy(function, i, loads, passes);
      for (const std::uint32_t id : Writes(function, function.instructions[i])) {
        has_other[id] = has_other[id] || load == kNone;
        if (load != kNone) found[id] = load;
        // What a register gets from one instruction alone is known to all that follow.
        if (load != kNone && writers[id] == 1) loads[id] = load;
      }
    }
    is_new = false;
    for (std::size_t id = 0; id < loads.size(); ++id) {
      if (loads[id] != kNone || found[id] == kNone || has_other[id]) continue;
      loads[id] = found[id];
      is_new = true;
    }
  }
  return loads;
}

}  // namespace coalcheck::ptx

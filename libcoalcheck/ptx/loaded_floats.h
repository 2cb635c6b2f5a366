// SPDX-License-Identifier: Apache-2.0
//
// Values that loaded ones decide, whatever else does: nobody who knows no data needs to compute
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

// Whether it computes with floats, or compares them, so that one unknown operand makes the result
// unknown.
bool IsFloatOperation(const Instruction& instruction);

// Whether it computes its result of its operands alone.
bool IsOperation(const Instruction& instruction);

// By register: a load whose value decides what is in it wherever it is read, or kNone. Through what
// `passes` says of an instruction; copies pass it in any case.
std::vector<std::uint32_t> LoadedValues(const Function& function,
                                        bool (*passes)(const Instruction&) = IsFloatOperation);

}  // namespace coalcheck::ptx

// SPDX-License-Identifier: Apache-2.0
//
// Floats that loaded values decide, whatever else does: nobody who knows no data needs to compute
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

// Whether it computes with floats, or compares them, so that one unknown operand makes the result
// unknown.
bool IsFloatOperation(const Instruction& instruction);

// By register: a load whose value decides what is in it wherever it is read, or kNone.
std::vector<std::uint32_t> LoadedValues(const Function& function);

}  // namespace coalcheck::ptx

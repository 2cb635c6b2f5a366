// SPDX-License-Identifier: Apache-2.0
//
// Which instructions of a function its addresses and its control flow depend on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

// The registers that an instruction writes: the first operands, with both parts of `d|p` and all
// elements of a vector.
std::vector<std::uint32_t> Writes(const Function& function, const Instruction& instruction);

// The registers that it reads, its guard among them, and the register of an address in brackets.
std::vector<std::uint32_t> Reads(const Function& function, const Instruction& instruction);

// Whether it reads or writes global memory, or may: generic addresses count.
bool IsGlobalAccess(const Instruction& instruction);

// The operand in brackets that names global memory; null where there is none.
const Operand* GlobalAddress(const Function& function, const Instruction& instruction);

// Instructions that decide an address of global memory, or whether a lane takes part: they, the
// accesses and all branches are true in the result, by instruction.
std::vector<bool> AddressSlice(const Function& function);

}  // namespace coalcheck::ptx

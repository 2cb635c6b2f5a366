// SPDX-License-Identifier: Apache-2.0
//
// Explains the address of each global access of a function from its machine code.
#pragma once

#include <string_view>
#include <vector>

#include "libcoalcheck/address/expression.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/cubin/elf.h"

namespace coalcheck::address {

struct ExplainedAccess {
  PcOffset pc;
  AddressExpression address;
};

// For every access that cubin::DecodeSass knows, by pc; those nothing is known of included.
// Empty when there is no function of that (mangled) name, or its code is too old. Takes any bytes,
// in time and memory bounded by the size of the function.
std::vector<ExplainedAccess> ExplainAddresses(const cubin::ElfFile& elf, std::string_view function);

// The same from the whole cubin; empty for what is none.
std::vector<ExplainedAccess> ExplainAddresses(std::string_view cubin, std::string_view function);

}  // namespace coalcheck::address

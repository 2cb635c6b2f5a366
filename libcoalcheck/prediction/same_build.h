// SPDX-License-Identifier: Apache-2.0
//
// Whether a cubin's PTX is what its machine code was made of.
#pragma once

#include <string>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck::prediction {

// Empty, or the first access that contradicts, as a clause: the PTX then says nothing of this code.
// It is of another build, or the assembler made other loads of it, as of virtual functions' tables.
std::string WhyOtherBuild(const cubin::Function& function, const address::AccessFormulas& formulas);

}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// Writes a solved address as an expression.
#pragma once

#include <cstdint>

#include "libcoalcheck/address/analysis.h"
#include "libcoalcheck/address/expression.h"
#include "libcoalcheck/address/parameters.h"

namespace coalcheck::address {

// `address`: of the access at instruction `n`.
AddressExpression Expand(Analysis& analysis, const FunctionCode& code, const Parameters& parameters,
                         const Polynomial& address, std::uint32_t n);

}  // namespace coalcheck::address

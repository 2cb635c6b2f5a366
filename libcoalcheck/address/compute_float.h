// SPDX-License-Identifier: Apache-2.0
//
// What PTX instructions compute in floating point, and conversions to and from it.
#pragma once

#include <cstdint>
#include <span>

#include "libcoalcheck/address/compute.h"
#include "libcoalcheck/ptx/opcode.h"

namespace coalcheck::address {

// A float's value as a double, and back; single precision is rounded once, as the hardware does.
double FloatOf(ptx::Type type, std::uint64_t bits);
std::uint64_t BitsOf(ptx::Type type, double value);

// cvt, between any two of integers and floats.
std::uint64_t Convert(const Operands& o);

// Of what is interpreted.
std::span<const ComputationRow> FloatComputations();

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// What PTX instructions compute in floating point, and conversions to and from it.
#pragma once

#include <cstdint>

#include "libcoalcheck/address/compute.h"
#include "libcoalcheck/ptx/opcode.h"

namespace coalcheck::address {

// A float's value as a double, and back; single precision is rounded once, as the hardware does.
double FloatOf(ptx::Type type, std::uint64_t bits);
std::uint64_t BitsOf(ptx::Type type, double value);

// The bits of a float that the opcode reads or gives: .ftz makes subnormal ones zero.
std::uint64_t Flushed(const ptx::Opcode& code, ptx::Type type, std::uint64_t bits);
// A float as the opcode reads it.
inline double InputOf(const ptx::Opcode& code, ptx::Type type, std::uint64_t bits) {
  return FloatOf(type, Flushed(code, type, bits));
}

// Of arithmetic on floats, and of cvt between any two of integers and floats.
Computation FloatComputationOf(const ptx::Opcode& code);

}  // namespace coalcheck::address

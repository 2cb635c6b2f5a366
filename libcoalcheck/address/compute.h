// SPDX-License-Identifier: Apache-2.0
//
// What PTX instructions compute from numbers (PTX ISA, chapter 9.7).
#pragma once

#include <cstdint>

#include "libcoalcheck/ptx/opcode.h"

namespace coalcheck::address {

// Where generic addresses of shared, local and parameter memory begin, in the evaluator's address
// space. No pointer of a real program is that large.
inline constexpr std::uint64_t kSharedWindow = 0x7000'0000'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x7100'0000'0000'0000;
inline constexpr std::uint64_t kParameterWindow = 0x7200'0000'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0100'0000'0000'0000;

constexpr bool IsInWindow(std::uint64_t address, std::uint64_t window) {
  return address >= window && address - window < kWindowBytes;
}

// The bits of `value` that a type of `bytes` holds.
constexpr std::uint64_t Truncate(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

// `value` of a type of `bytes` as a signed number.
constexpr std::int64_t SignExtend(std::uint64_t value, unsigned bytes) {
  if (bytes >= 8 || bytes == 0) return static_cast<std::int64_t>(value);
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

struct Operands {
  const ptx::Opcode* code = nullptr;
  std::uint64_t a = 0, b = 0, c = 0, d = 0;  // in the order of the instruction's sources
};

// `value` as the instruction's type holds it.
inline std::uint64_t Fit(const Operands& o, std::uint64_t value) {
  return Truncate(value, o.code->type.bytes);
}

// From the sources' bits to the result's; predicates are 0 or 1.
using Computation = std::uint64_t (*)(const Operands&);

// Null for instructions that are not interpreted.
Computation ComputationOf(const ptx::Opcode& code);

// Bytes of the register that the result goes to.
unsigned ResultBytes(const ptx::Opcode& code);

}  // namespace coalcheck::address

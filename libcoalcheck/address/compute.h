// SPDX-License-Identifier: Apache-2.0
//
// What PTX instructions compute from numbers (PTX ISA, chapter 9.7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "libcoalcheck/base/units.h"
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

// What a register holds of a number of that type: it may be wider than the type, and then has the
// sign of signed numbers in its upper bits.
inline std::uint64_t Extended(ptx::Type type, std::uint64_t value) {
  return type.IsSigned() ? static_cast<std::uint64_t>(SignExtend(value, type.bytes))
                         : Truncate(value, type.bytes);
}

struct Operands {
  const ptx::Opcode* code = nullptr;
  std::uint64_t a = 0, b = 0, c = 0, d = 0;  // in the order of the instruction's sources
};

// `value` as the instruction's type holds it.
inline std::uint64_t Fit(const Operands& o, std::uint64_t value) {
  return Truncate(value, o.code->type.bytes);
}

// The bits of a register, lane by lane.
using LaneBits = std::array<std::uint64_t, kWarpSize>;

// From the sources' bits to the result's; predicates are 0 or 1. Empty for instructions that are
// not interpreted.
struct Computation {
  std::uint64_t (*of_one)(const Operands&) = nullptr;
  // Of all lanes; the result may be one of the sources.
  void (*of_lanes)(const ptx::Opcode&, const std::array<const LaneBits*, 4>&, LaneBits&) = nullptr;
  bool may_give_nan = false;  // whose bits the ISA leaves open

  bool exists() const { return of_one != nullptr; }
  std::uint64_t operator()(const Operands& operands) const { return of_one(operands); }
};

template <std::uint64_t (*kOfOne)(const Operands&)>
void ComputeLanes(const ptx::Opcode& code, const std::array<const LaneBits*, 4>& sources,
                  LaneBits& result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] =
        kOfOne({&code, (*sources[0])[i], (*sources[1])[i], (*sources[2])[i], (*sources[3])[i]});
  }
}
// By operation.
struct ComputationRow {
  ptx::Op op;
  Computation computation;
};
template <std::uint64_t (*kOfOne)(const Operands&)>
constexpr ComputationRow RowOf(ptx::Op op) {
  return {op, {kOfOne, ComputeLanes<kOfOne>}};
}

Computation ComputationOf(const ptx::Opcode& code);

// Whether nobody knows the bits of the result, although it was computed: those of a NaN.
bool IsUnspecified(const ptx::Opcode& code, const Computation& computation, std::uint64_t result);

// Bytes of the register that the result goes to.
unsigned ResultBytes(const ptx::Opcode& code);

}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// Opcodes of the instructions that reach global memory.
#include "libcoalcheck/cubin/sass.h"

#include <array>

namespace coalcheck::cubin {
namespace {

// The low nine bits of the word; the next three are the operand form.
enum Opcode : std::uint32_t {
  kLdg256 = 0x17e,  // sm_100 and later
  kStg256 = 0x17f,
  kLd = 0x180,
  kLdg = 0x181,
  kLdl = 0x183,
  kSt = 0x185,
  kStg = 0x186,
  kStl = 0x187,
  kAtom = 0x18a,
  kAtomCas = 0x18b,
  kRed = 0x18e,
  kAtomFloat = 0x1a2,  // sm_90 and later, which split the types in two
  kAtomgFloat = 0x1a3,
  kRedgFloat = 0x1a6,
  kAtomg = 0x1a8,
  kAtomgCas = 0x1a9,
  kLdgsts = 0x1ae,
  kUtmaldg = 0x1b4,  // the tensor memory accelerator, sm_90 and later
  kUtmastg = 0x1b5,
  kUtmaredg = 0x1b6,
  kUblkcp = 0x1ba,
  kUblkred = 0x1bb,
};

std::uint32_t Bits(std::uint64_t high, unsigned first, unsigned count) {
  return static_cast<std::uint32_t>((high >> (first - 64)) & ((1U << count) - 1));
}

template <std::size_t n>
Bytes Lookup(const std::array<std::uint8_t, n>& widths, std::uint32_t code) {
  return Bytes(code < n ? widths[code] : 0);
}

Bytes WidthIn(const WidthField& field, std::uint64_t high) {
  return Lookup(field.bytes, Bits(high, field.first_bit, field.bits));
}

// U32 S32 U64, and from sm_90 128.
Bytes CompareAndSwapWidth(std::uint64_t high) {
  static constexpr std::array<std::uint8_t, 5> kWidths = {4, 4, 8, 0, 16};
  return Lookup(kWidths, Bits(high, 73, 3));
}

// F16x2 x4 x8, BF16x2 x4 x8, then F32 x1 x2 x4 with and without flushing, F64.
Bytes FloatAtomicWidth(std::uint64_t high) {
  static constexpr std::array<std::uint8_t, 16> kWidths = {4, 8, 16, 4,  8, 16, 0,  0,
                                                           0, 4, 8,  16, 4, 8,  16, 8};
  return Lookup(kWidths, Bits(high, 73, 4));
}

std::optional<SassAccess> DecodeAtomic(std::uint32_t opcode, std::uint64_t high,
                                       const Architecture& architecture) {
  switch (opcode) {
    case kAtom:
      return SassAccess{AccessKind::kAtomic, WidthIn(architecture.atomic, high), true};
    case kAtomg:
      return SassAccess{AccessKind::kAtomic, WidthIn(architecture.atomic, high), false};
    case kRed:
      return SassAccess{AccessKind::kReduction, WidthIn(architecture.atomic, high), false};
    case kAtomCas:
      return SassAccess{AccessKind::kAtomic, CompareAndSwapWidth(high), true};
    case kAtomgCas:
      return SassAccess{AccessKind::kAtomic, CompareAndSwapWidth(high), false};
    case kAtomFloat:
      return SassAccess{AccessKind::kAtomic, FloatAtomicWidth(high), true};
    case kAtomgFloat:
      return SassAccess{AccessKind::kAtomic, FloatAtomicWidth(high), false};
    case kRedgFloat:
      return SassAccess{AccessKind::kReduction, FloatAtomicWidth(high), false};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<SassAccess> DecodeSass(std::uint64_t low, std::uint64_t high, std::uint32_t sm) {
  const Architecture& architecture = ArchitectureOf(sm);
  const auto opcode = static_cast<std::uint32_t>(low & 0x1ffU);
  switch (opcode) {
    case kLdg:
      return SassAccess{AccessKind::kLoad, WidthIn(architecture.plain, high), false};
    case kLd:
      return SassAccess{AccessKind::kLoad, WidthIn(architecture.plain, high), true};
    case kStg:
      return SassAccess{AccessKind::kStore, WidthIn(architecture.plain, high), false};
    case kSt:
      return SassAccess{AccessKind::kStore, WidthIn(architecture.plain, high), true};
    case kLdgsts:
      if (!architecture.has_async_copies) return std::nullopt;
      return SassAccess{AccessKind::kAsyncCopy, WidthIn(architecture.async_copy, high), false};
    case kLdg256:
    case kStg256:
      if (!architecture.has_wide_accesses) return std::nullopt;
      return SassAccess{opcode == kLdg256 ? AccessKind::kLoad : AccessKind::kStore, Bytes(32),
                        false};
    case kAtomFloat:
    case kAtomgFloat:
    case kRedgFloat:
      if (!architecture.splits_float_atomics) return std::nullopt;
      [[fallthrough]];
    default:
      return DecodeAtomic(opcode, high, architecture);
  }
}

std::optional<AccessKind> DecodeLocalAccess(std::uint64_t low) {
  const auto opcode = static_cast<std::uint32_t>(low & 0x1ffU);
  if (opcode == kLdl) return AccessKind::kLoad;
  if (opcode == kStl) return AccessKind::kStore;
  return std::nullopt;
}

std::optional<AccessKind> DecodeBulkCopy(std::uint64_t low, std::uint64_t high, std::uint32_t sm) {
  if (!ArchitectureOf(sm).has_bulk_copies) return std::nullopt;
  switch (static_cast<std::uint32_t>(low & 0x1ffU)) {
    case kUtmaldg:
      return AccessKind::kLoad;
    case kUtmastg:
      return AccessKind::kStore;
    case kUtmaredg:
    case kUblkred:
      return AccessKind::kReduction;
    case kUblkcp: {
      const bool to_shared = ((high >> 9U) & 1U) != 0;
      const bool from_shared = ((high >> 10U) & 1U) != 0;
      if (to_shared == from_shared) return std::nullopt;  // within a cluster
      return to_shared ? AccessKind::kLoad : AccessKind::kStore;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace coalcheck::cubin

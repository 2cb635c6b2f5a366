// SPDX-License-Identifier: Apache-2.0
//
// Opcodes and size fields of the instructions that reach global memory, sm_75 to sm_120.
#include "libcoalcheck/cubin/sass.h"

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

constexpr std::uint32_t kOldestSmWithBulkCopies = 90;

std::uint32_t Bits(std::uint64_t high, unsigned first, unsigned count) {
  return static_cast<std::uint32_t>((high >> (first - 64)) & ((1U << count) - 1));
}

template <std::size_t n>
Bytes Lookup(const std::uint8_t (&widths)[n], std::uint32_t code) {
  return Bytes(code < n ? widths[code] : 0);
}

// Loads and stores: U8 S8 U16 S16 32 64 128, and on sm_75 U.128.
Bytes PlainWidth(std::uint64_t high, std::uint32_t sm) {
  static constexpr std::uint8_t kWidths[] = {1, 1, 2, 2, 4, 8, 16};
  const std::uint32_t code = Bits(high, 73, 3);
  return code == 7 && sm < 80 ? Bytes(16) : Lookup(kWidths, code);
}

// U32 S32 U64 F32 F16x2 S64 F64 in one field, and from sm_90 U32 S32 U64 S64 128.
Bytes AtomicWidth(std::uint64_t high, std::uint32_t sm) {
  static constexpr std::uint8_t kBefore90[] = {4, 4, 8, 4, 4, 8, 8};
  static constexpr std::uint8_t kFrom90[] = {4, 4, 8, 8, 16};
  const std::uint32_t code = Bits(high, 73, 3);
  return sm < 90 ? Lookup(kBefore90, code) : Lookup(kFrom90, code);
}

// U32 S32 U64, and from sm_90 128.
Bytes CompareAndSwapWidth(std::uint64_t high) {
  static constexpr std::uint8_t kWidths[] = {4, 4, 8, 0, 16};
  return Lookup(kWidths, Bits(high, 73, 3));
}

// F16x2 x4 x8, BF16x2 x4 x8, then F32 x1 x2 x4 with and without flushing, F64.
Bytes FloatAtomicWidth(std::uint64_t high) {
  static constexpr std::uint8_t kWidths[] = {4, 8, 16, 4, 8, 16, 0, 0, 0, 4, 8, 16, 4, 8, 16, 8};
  return Lookup(kWidths, Bits(high, 73, 4));
}

// 32 64 128: codes 4 to 6 of the loads' field, and from sm_100 a field of its own.
Bytes AsyncCopyWidth(std::uint64_t high, std::uint32_t sm) {
  static constexpr std::uint8_t kBefore100[] = {0, 0, 0, 0, 4, 8, 16};
  static constexpr std::uint8_t kFrom100[] = {4, 8, 16};
  return sm < 100 ? Lookup(kBefore100, Bits(high, 73, 3)) : Lookup(kFrom100, Bits(high, 74, 2));
}

std::optional<SassAccess> DecodeAtomic(std::uint32_t opcode, std::uint64_t high, std::uint32_t sm) {
  switch (opcode) {
    case kAtom:
      return SassAccess{AccessKind::kAtomic, AtomicWidth(high, sm), true};
    case kAtomg:
      return SassAccess{AccessKind::kAtomic, AtomicWidth(high, sm), false};
    case kRed:
      return SassAccess{AccessKind::kReduction, AtomicWidth(high, sm), false};
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
  const auto opcode = static_cast<std::uint32_t>(low & 0x1ffU);
  switch (opcode) {
    case kLdg:
      return SassAccess{AccessKind::kLoad, PlainWidth(high, sm), false};
    case kLd:
      return SassAccess{AccessKind::kLoad, PlainWidth(high, sm), true};
    case kStg:
      return SassAccess{AccessKind::kStore, PlainWidth(high, sm), false};
    case kSt:
      return SassAccess{AccessKind::kStore, PlainWidth(high, sm), true};
    case kLdgsts:
      if (sm < 80) return std::nullopt;
      return SassAccess{AccessKind::kAsyncCopy, AsyncCopyWidth(high, sm), false};
    case kLdg256:
    case kStg256:
      if (sm < 100) return std::nullopt;
      return SassAccess{opcode == kLdg256 ? AccessKind::kLoad : AccessKind::kStore, Bytes(32),
                        false};
    case kAtomFloat:
    case kAtomgFloat:
    case kRedgFloat:
      if (sm < 90) return std::nullopt;
      [[fallthrough]];
    default:
      return DecodeAtomic(opcode, high, sm);
  }
}

std::optional<AccessKind> DecodeLocalAccess(std::uint64_t low) {
  const auto opcode = static_cast<std::uint32_t>(low & 0x1ffU);
  if (opcode == kLdl) return AccessKind::kLoad;
  if (opcode == kStl) return AccessKind::kStore;
  return std::nullopt;
}

std::optional<AccessKind> DecodeBulkCopy(std::uint64_t low, std::uint64_t high, std::uint32_t sm) {
  if (sm < kOldestSmWithBulkCopies) return std::nullopt;
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

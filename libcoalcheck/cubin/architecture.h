// SPDX-License-Identifier: Apache-2.0
//
// In what the machine code of one architecture differs from that of another: a row for each that
// differs.
#pragma once

#include <array>
#include <cstdint>

namespace coalcheck::cubin {

// A field of the upper half of an instruction, and what its values mean in bytes; 0: nothing known.
struct WidthField {
  unsigned first_bit;
  unsigned bits;
  std::array<std::uint8_t, 8> bytes;
};

struct Architecture {
  std::uint32_t first_sm;      // 75 of sm_75; later ones are alike up to the next row
  WidthField plain;            // of loads and stores: U8 S8 U16 S16 32 64 128, and U.128
  WidthField atomic;           // U32 S32 U64 F32 F16x2 S64 F64, or U32 S32 U64 S64 128
  WidthField async_copy;       // 32 64 128
  bool has_async_copies;       // LDGSTS
  bool splits_float_atomics;   // floats have opcodes of their own
  bool has_bulk_copies;        // the tensor memory accelerator
  bool has_wide_accesses;      // of 256 bits
  bool has_register_pairs;     // instructions on pairs of registers
  bool branches_by_words;      // how far is counted in words of four bytes, else in bytes
  unsigned warp_mask_bit;      // where WARPSYNC names its mask's register
  std::uint32_t zero_uniform;  // the number of the uniform register that is zero
  // Where the driver puts a launch's numbers into constant bank 0: the block's x, y and z, the
  // grid's, and the parameters.
  struct {
    std::uint32_t block, grid, parameters;
  } bank;
  // Sets of the four bits that say a load's ordering and scope: those that see other writes of the
  // GPU, and those that promise to see none.
  std::uint32_t strong_loads;
  std::uint32_t constant_loads;
};

inline constexpr Architecture kSm75 = {
    .first_sm = 75,
    .plain = {73, 3, {1, 1, 2, 2, 4, 8, 16, 16}},
    .atomic = {73, 3, {4, 4, 8, 4, 4, 8, 8}},
    .async_copy = {},
    .has_async_copies = false,
    .splits_float_atomics = false,
    .has_bulk_copies = false,
    .has_wide_accesses = false,
    .has_register_pairs = false,
    .branches_by_words = false,
    .warp_mask_bit = 32,
    .zero_uniform = 63,
    .bank = {0x0, 0xc, 0x160},
    .strong_loads = 0xfc00,  // STRONG.GPU .SYS, MMIO
    .constant_loads = 0x000f,
};

// Each of the others is the one before but for what is said.
inline constexpr Architecture kSm80 = [] {
  Architecture next = kSm75;
  next.first_sm = 80;
  next.plain = {73, 3, {1, 1, 2, 2, 4, 8, 16}};
  next.async_copy = {73, 3, {0, 0, 0, 0, 4, 8, 16}};
  next.has_async_copies = true;
  next.strong_loads = 0x15c0;  // STRONG.GPU(.PRIVATE) .SYS, MMIO.GPU .SYS
  next.constant_loads = 0xea1e;
  return next;
}();

inline constexpr Architecture kSm90 = [] {
  Architecture next = kSm80;
  next.first_sm = 90;
  next.atomic = {73, 3, {4, 4, 8, 8, 16}};
  next.splits_float_atomics = true;
  next.has_bulk_copies = true;
  next.branches_by_words = true;
  next.warp_mask_bit = 24;
  next.bank.parameters = 0x210;
  return next;
}();

inline constexpr Architecture kSm100 = [] {
  Architecture next = kSm90;
  next.first_sm = 100;
  next.async_copy = {74, 2, {4, 8, 16}};
  next.has_wide_accesses = true;
  next.has_register_pairs = true;
  next.zero_uniform = 255;
  next.bank = {0x360, 0x370, 0x380};
  return next;
}();

inline constexpr std::array kArchitectures = {kSm75, kSm80, kSm90, kSm100};

// CUPTI 13 begins there too.
inline constexpr std::uint32_t kOldestSm = kArchitectures.front().first_sm;
// The newest architecture whose instructions were compared with the vendor's disassembler. What a
// newer one means by the same bits is not known.
inline constexpr std::uint32_t kNewestSm = 120;

// Of those older than the first row it is the first row.
constexpr const Architecture& ArchitectureOf(std::uint32_t sm) {
  const Architecture* found = &kArchitectures.front();
  for (const Architecture& one : kArchitectures) {
    if (one.first_sm <= sm) found = &one;
  }
  return *found;
}

}  // namespace coalcheck::cubin

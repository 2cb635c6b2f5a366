// SPDX-License-Identifier: Apache-2.0
//
// Instruction words mean what the disassembler says they mean.
#include "libcoalcheck/cubin/sass.h"

#include <gtest/gtest.h>

#include <ostream>

namespace coalcheck::cubin {

void PrintTo(const SassAccess& access, std::ostream* out) {
  *out << ToString(access.kind) << ' ' << access.width.count()
       << (access.generic ? " generic" : "");
}

namespace {

struct Word {
  const char* name;
  std::uint32_t sm;
  std::uint64_t low;
  std::uint64_t high;
  std::optional<SassAccess> expected;
};

const Word kWords[] = {
#include "tests/unit/cubin/sass_words.inc"
};

TEST(Sass, ReadsKindAndWidthOfEveryWord) {
  for (const Word& word : kWords) {
    EXPECT_EQ(DecodeSass(word.low, word.high, word.sm), word.expected)
        << word.name << " on sm_" << word.sm;
  }
}

// The size field of a load, bits 73 to 75.
std::uint64_t WithSize(std::uint64_t code) { return code << 9U; }

TEST(Sass, LeavesAWidthOpenThatItDoesNotKnow) {
  EXPECT_EQ(DecodeSass(0x981, WithSize(7), 90)->width, Bytes(0));
  EXPECT_EQ(DecodeSass(0x381, WithSize(7), 75)->width, Bytes(16));  // LDG.E.U.128 of old
  EXPECT_EQ(DecodeSass(0x9a8, WithSize(7), 80)->width, Bytes(0));
}

TEST(Sass, KnowsThatAtomicTypesChangedTheirNumbersWithHopper) {
  EXPECT_EQ(DecodeSass(0x9a8, WithSize(3), 80)->width, Bytes(4));  // F32
  EXPECT_EQ(DecodeSass(0x9a8, WithSize(3), 90)->width, Bytes(8));  // S64
}

TEST(Sass, KnowsNoInstructionBeforeItsTime) {
  EXPECT_EQ(DecodeSass(0x97e, 0, 90), std::nullopt);  // LDG.256
  EXPECT_EQ(DecodeSass(0x9a6, 0, 89), std::nullopt);  // REDG on vectors
  EXPECT_EQ(DecodeSass(0xfae, 0, 75), std::nullopt);  // LDGSTS
}

TEST(Sass, TellsWhereABulkCopyGoesTo) {
  constexpr std::uint64_t kUblkcp = 0x06040073ba;
  EXPECT_EQ(DecodeBulkCopy(kUblkcp, 0x208, 90), AccessKind::kLoad);            // .S.G
  EXPECT_EQ(DecodeBulkCopy(kUblkcp, 0x405, 90), AccessKind::kStore);           // .G.S
  EXPECT_EQ(DecodeBulkCopy(kUblkcp, 0x605, 90), std::nullopt);                 // .S.S
  EXPECT_EQ(DecodeBulkCopy(kUblkcp, 0x208, 89), std::nullopt);                 // there was none
  EXPECT_EQ(DecodeBulkCopy(0x4060075b8, 0x8000, 90), std::nullopt);            // UTMAPF
  EXPECT_EQ(DecodeBulkCopy(0x8060073b6, 0x8000, 90), AccessKind::kReduction);  // UTMAREDG
}

TEST(Sass, TellsLocalMemoryFromGlobal) {
  EXPECT_EQ(DecodeLocalAccess(0x983), AccessKind::kLoad);   // LDL
  EXPECT_EQ(DecodeLocalAccess(0x387), AccessKind::kStore);  // STL
  EXPECT_EQ(DecodeLocalAccess(0x981), std::nullopt);        // LDG
  EXPECT_EQ(DecodeSass(0x983, 0, 90), std::nullopt);
}

}  // namespace
}  // namespace coalcheck::cubin

// SPDX-License-Identifier: Apache-2.0
//
// Who uses the rest of a sector: siblings, the next turn of a loop, the next warp, nobody.
#include "libcoalcheck/patterns/waste.h"

#include <gtest/gtest.h>

#include <limits>

#include "libcoalcheck/patterns/classify.h"
#include "libcoalcheck/patterns/siblings.h"
#include "tests/unit/patterns/evidence_of.h"

namespace coalcheck::patterns {
namespace {

Waste WasteOf(const Evidence& evidence) { return JudgeWaste(evidence, Classify(evidence)); }

// Fields of `width` bytes in structures of `size` bytes, of which this is the first.
Evidence Field(std::uint32_t width, std::uint64_t size, std::vector<Sibling> siblings) {
  Evidence evidence =
      EvidenceOf({MakeRequest(width, [=](std::uint64_t lane) { return lane * size; })});
  evidence.address.form = AddressFact::Form::kAffine;
  evidence.address.lane_step = ByteStep(static_cast<std::int64_t>(size));
  evidence.address.siblings = std::move(siblings);
  return evidence;
}

TEST(BytesUsed, CountsEveryByteOfTheStructureOnce) {
  EXPECT_EQ(BytesUsed(Bytes(12), Bytes(4), {}), Bytes(4));
  EXPECT_EQ(BytesUsed(Bytes(12), Bytes(4), {{ByteStep(4), Bytes(4)}, {ByteStep(8), Bytes(4)}}),
            Bytes(12));
  EXPECT_EQ(BytesUsed(Bytes(12), Bytes(4), {{ByteStep(-4), Bytes(4)}, {ByteStep(8), Bytes(4)}}),
            Bytes(8));
  EXPECT_EQ(BytesUsed(Bytes(16), Bytes(8), {{ByteStep(12), Bytes(8)}}), Bytes(12));
  EXPECT_EQ(BytesUsed(Bytes(0), Bytes(8), {}), Bytes(0));
}

TEST(JoinSiblings, ThreeFieldsOfADouble3WasteNothingTogether) {
  const Evidence x = Field(8, 24, {{ByteStep(8), Bytes(8)}, {ByteStep(16), Bytes(8)}});
  EXPECT_EQ(JoinSiblings(x.width, x.address, Sectors(24)),
            (GroupRequest{Sectors(25), Sectors(24)}));  // 25 where the group begins off a sector
}

TEST(JoinSiblings, TwoOfFourFieldsShareTheSameSectors) {
  const Evidence a = Field(4, 16, {{ByteStep(4), Bytes(4)}});
  EXPECT_EQ(JoinSiblings(a.width, a.address, Sectors(16)), (GroupRequest{Sectors(17), Sectors(8)}));
}

TEST(JoinSiblings, FarAndHostileSiblingsDoNoHarm) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::min();
  Evidence a = Field(4, 16, {{ByteStep(kFar), Bytes(4)}, {ByteStep(4), Bytes(1U << 30)}});
  EXPECT_EQ(JoinSiblings(a.width, a.address, Sectors(16)), (GroupRequest{Sectors(16), Sectors(4)}));
  a.address.lane_step = ByteStep(kFar);
  EXPECT_EQ(JoinSiblings(a.width, a.address, Sectors(16)), std::nullopt);
  EXPECT_EQ(BytesUsed(Bytes(12), Bytes(4), {{ByteStep(kFar), Bytes(~0ULL)}}), Bytes(12));
}

TEST(Waste, FieldsThatTheSameWarpUsesAreShared) {
  EXPECT_EQ(WasteOf(Field(4, 12, {{ByteStep(4), Bytes(4)}, {ByteStep(8), Bytes(4)}})),
            Waste::kShared);
}

// All other words of a structure of so many bytes.
std::vector<Sibling> OtherWords(std::int64_t size) {
  std::vector<Sibling> others;
  for (std::int64_t at = 4; at < size; at += 4) others.push_back({ByteStep(at), Bytes(4)});
  return others;
}

TEST(Waste, FieldsOfALargeStructureAreGoneBeforeTheOthersAreAskedFor) {
  EXPECT_EQ(WasteOf(Field(4, 64, OtherWords(64))), Waste::kShared);     // 16 lines
  EXPECT_EQ(WasteOf(Field(4, 128, OtherWords(128))), Waste::kUnknown);  // 32 lines
}

TEST(Waste, AStructureOfWhichOneFieldIsUsedIsWasted) {
  Evidence evidence = Field(4, 16, {});
  EXPECT_EQ(WasteOf(evidence), Waste::kUnknown) << "a loop may use the rest";
  evidence.address.loop_step = ByteStep(0);
  EXPECT_EQ(WasteOf(evidence), Waste::kWasted);
  evidence.address.loop_step = ByteStep(4096);
  EXPECT_EQ(WasteOf(evidence), Waste::kWasted);
}

TEST(Waste, ALoopThatWalksThroughItsSectorsIsLikelyAbsorbedWhereL1HoldsThem) {
  Evidence evidence = Field(4, 16, {});
  evidence.address.loop_step = ByteStep(4);
  EXPECT_EQ(WasteOf(evidence), Waste::kLikelyAbsorbed);
  Evidence rows = Field(4, 4096, {});
  rows.address.loop_step = ByteStep(4);
  EXPECT_EQ(WasteOf(rows), Waste::kUnknown) << "32 lines for each warp are too many to be sure";
  evidence.kind = cubin::AccessKind::kStore;
  EXPECT_EQ(WasteOf(evidence), Waste::kUnknown);
}

TEST(Waste, TheLastSectorOfAMisalignedLoadIsTheNextWarps) {
  Evidence evidence = EvidenceOf(4, 32, 5, 4, 2);
  EXPECT_EQ(WasteOf(evidence), Waste::kLikelyAbsorbed);
  evidence.kind = cubin::AccessKind::kStore;
  EXPECT_EQ(WasteOf(evidence), Waste::kUnknown);
}

TEST(Waste, CountsAloneDoNotDecide) {
  EXPECT_EQ(WasteOf(EvidenceOf(4, 32, 12, 4, 3)), Waste::kUnknown);
  EXPECT_EQ(WasteOf(EvidenceOf(4, 32, 4, 4, 1)), Waste::kUnknown);
  EXPECT_EQ(WasteOf({}), Waste::kUnknown);
}

}  // namespace
}  // namespace coalcheck::patterns

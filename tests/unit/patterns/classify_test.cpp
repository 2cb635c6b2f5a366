// SPDX-License-Identifier: Apache-2.0
//
// The textbook accesses by name, what the code settles, and counts that no access can have.
#include "libcoalcheck/patterns/classify.h"

#include <gtest/gtest.h>

#include "tests/unit/patterns/evidence_of.h"

namespace coalcheck::patterns {
namespace {

std::string NameOf(const Evidence& evidence) { return ShortForm(Classify(evidence).candidates); }

// Lane i at base + i · step.
std::string NameOfSteps(std::uint32_t width, std::uint64_t base, std::uint64_t step) {
  return NameOf(
      EvidenceOf({MakeRequest(width, [=](std::uint64_t lane) { return base + lane * step; })}));
}

Evidence Affine(Evidence evidence, std::int64_t step) {
  evidence.address.form = AddressFact::Form::kAffine;
  evidence.address.lane_step = ByteStep(step);
  return evidence;
}

TEST(Classify, ConsecutiveElementsAreCoalesced) {
  EXPECT_EQ(NameOfSteps(4, 0, 4), "coalesced");
  EXPECT_EQ(NameOfSteps(8, 256, 8), "coalesced");
}

// Two kinds of requests of floats from where data say: of whole warps, and with lanes that do not
// take part between those that do.
Evidence RowsOfData(std::uint64_t lanes, std::uint64_t sectors, std::uint64_t ideal) {
  Evidence evidence = EvidenceOf(4, lanes, sectors, ideal, 2);
  address::ShapeShare whole{{}, {500, 32 * 500, 0, 0, 0}};
  whole.shape = {.kind = address::LaneShape::Kind::kStep, .step = 4, .begins_by_data = true};
  address::ShapeShare gaps = whole;
  gaps.shape.is_partial = gaps.shape.has_gaps = true;
  evidence.address.form = AddressFact::Form::kAffine;
  evidence.address.shapes = {whole, gaps};
  return evidence;
}

TEST(Classify, OfRowsThatDataBeginWhatExplainsMostOfTheWasteIsNamed) {
  EXPECT_EQ(NameOf(RowsOfData(30, 5, 4)), "misaligned:4-28");
  EXPECT_EQ(NameOf(RowsOfData(20, 4, 3)), "partial_warps");
}

// In the first round all lanes ask for one address, behind that each where data say.
TEST(Classify, WhatWastesNothingDoesNotExplainTheWaste) {
  Evidence evidence = EvidenceOf(8, 32, 24, 8, 24);
  address::ShapeShare same{{}, {500, 32 * 500, 500, 500, 500}};
  address::ShapeShare scattered{{}, {1500, 32 * 1500, 0, 0, 0}};
  scattered.shape = {.kind = address::LaneShape::Kind::kByData, .begins_by_data = true};
  evidence.address.form = AddressFact::Form::kAffine;
  evidence.address.shapes = {same, scattered};
  EXPECT_EQ(NameOf(evidence), "scattered");
}

TEST(Classify, ConsecutiveBytesAreNarrow) {
  EXPECT_EQ(NameOfSteps(2, 0, 2),
            "narrow,broadcast:2-16");  // a pair of lanes for each of 16 halves
  EXPECT_EQ(NameOfSteps(2, 64, 2), "narrow,broadcast:2-16");
  EXPECT_EQ(NameOfSteps(1, 0, 1), "narrow,broadcast:2-32");
}

TEST(Classify, OneWordForAllLanesIsABroadcast) {
  EXPECT_EQ(NameOfSteps(4, 512, 0), "broadcast:4-32");
  EXPECT_EQ(NameOfSteps(16, 512, 0), "broadcast:16-32");
}

TEST(Classify, FloatsOffASectorAreMisaligned) {
  EXPECT_EQ(NameOfSteps(4, 4, 4), "misaligned:4-28");
  EXPECT_EQ(NameOfSteps(16, 16, 16), "misaligned:16");
}

TEST(Classify, StridesBelowASectorAreExactForFloats) {
  for (std::uint64_t step = 8; step < 32; step += 4) {
    EXPECT_EQ(NameOfSteps(4, 0, step),
              "strided|struct_field|padded_struct:" + std::to_string(step));
  }
}

TEST(Classify, StridesFromASectorOnAreIntervals) {
  EXPECT_EQ(NameOfSteps(4, 0, 36), "strided|struct_field|padded_struct:32-36");
  EXPECT_EQ(NameOfSteps(4, 0, 40), "strided|struct_field|padded_struct:36-40");
  EXPECT_EQ(NameOfSteps(4, 0, 4096), "strided|struct_field|padded_struct:124+,scattered");
}

TEST(Classify, BlocksOfFourLanesMakeRuns) {
  const auto address = [](std::uint64_t lane) { return lane / 4 * 16384 + lane % 4 * 4; };
  EXPECT_EQ(NameOf(EvidenceOf({MakeRequest(4, address)})), "runs|broadcast:4");
}

TEST(Classify, BlocksThatDivideNoWarpMakeRunsOfTheirWidth) {
  std::vector<sectors::WarpRequest> requests;
  for (std::uint64_t warp = 0; warp < 3; ++warp) {
    requests.push_back(MakeRequest(4, [=](std::uint64_t lane) {
      const std::uint64_t thread = warp * 32 + lane;
      return thread / 12 * 16384 + thread % 12 * 4;
    }));
  }
  Evidence evidence = EvidenceOf(requests);
  evidence.block_row = Lanes(12);
  EXPECT_EQ(Classify(evidence).Find(Pattern::kRuns)->parameter.Contains(12), true);
}

TEST(Classify, InactiveLanesThatHalveSectorsArePartialWarps) {
  const auto address = [](std::uint64_t lane) { return lane * 4; };
  const Evidence every_second = EvidenceOf({MakeRequest(4, address, 0x55555555)});
  EXPECT_NE(Classify(every_second).Find(Pattern::kPartialWarps), nullptr);
  EXPECT_EQ(NameOf(EvidenceOf({MakeRequest(4, address, 1)})), "partial_warps");
}

TEST(Classify, TheLastWarpOfARowDoesNotMakeAnAccessPartial) {
  const auto address = [](std::uint64_t lane) { return lane * 4; };
  Evidence evidence = EvidenceOf({MakeRequest(4, address)}, 2000);
  evidence.counts += EvidenceOf({MakeRequest(4, address, 0xff)}, 1).counts;
  const Classification result = Classify(evidence);
  EXPECT_EQ(ShortForm(result.candidates), "coalesced");
  EXPECT_EQ(result.confidence, Confidence::kLow);
}

TEST(Classify, AFractionOfALineTooFewIsScattered) {
  Evidence evidence = EvidenceOf(4, 32, 32, 4, 32);
  evidence.counts.lines = CacheLines(63999);
  evidence.counts.sectors = Sectors(63999);
  EXPECT_EQ(NameOf(evidence), "scattered");
}

TEST(Classify, FewRequestsMayBeAlikeByChance) {
  EXPECT_EQ(NameOf(EvidenceOf(4, 32, 16, 4, 4, 1024)), "strided|struct_field|padded_struct:16");
  EXPECT_EQ(NameOf(EvidenceOf(4, 32, 16, 4, 4, 1023)),
            "strided|struct_field|padded_struct:16,scattered");
}

TEST(Classify, AtomicsWithALineForEachLaneAreApart) {
  Evidence evidence = EvidenceOf(4, 32, 32, 4, 32);
  evidence.kind = cubin::AccessKind::kReduction;
  EXPECT_EQ(NameOf(evidence), "atomics_apart");
  evidence.counts.lines = CacheLines(16000);
  EXPECT_EQ(NameOf(evidence), "strided|struct_field|padded_struct:32");
}

TEST(Classify, TheCodeSettlesTheStride) {
  Evidence evidence = Affine(EvidenceOf(4, 32, 32, 4, 32), -16384);
  EXPECT_EQ(NameOf(evidence), "strided|struct_field|padded_struct:16384");
  evidence.address.siblings.emplace();
  EXPECT_EQ(NameOf(evidence), "strided:16384");
  EXPECT_EQ(Classify(evidence).confidence, Confidence::kHigh);
}

TEST(Classify, SiblingsMakeAStrideAStructure) {
  Evidence evidence = Affine(EvidenceOf(4, 32, 12, 4, 3), 12);
  evidence.address.siblings = {{ByteStep(4), Bytes(4)}, {ByteStep(8), Bytes(4)}};
  EXPECT_EQ(NameOf(evidence), "struct_field:12");
  evidence.address.siblings->pop_back();
  EXPECT_EQ(NameOf(evidence), "padded_struct:12");
}

TEST(Classify, TheOffsetOfAMisalignedAccessComesFromTheCode) {
  Evidence evidence = Affine(EvidenceOf(4, 32, 5, 4, 2), 4);
  EXPECT_EQ(NameOf(evidence), "misaligned:4-28");
  evidence.address.offset = Bytes(12);
  EXPECT_EQ(NameOf(evidence), "misaligned:12");
}

TEST(Classify, AnAddressThatALoadDecidesIsScatteredWhereItWastes) {
  Evidence evidence = EvidenceOf(4, 32, 16, 4, 4);
  evidence.address.form = AddressFact::Form::kLoaded;
  EXPECT_EQ(NameOf(evidence), "scattered");
  Evidence in_order = EvidenceOf(4, 32, 4, 4, 1);
  in_order.address.form = AddressFact::Form::kLoaded;
  EXPECT_EQ(NameOf(in_order), "coalesced");
}

TEST(Classify, AnAffineAddressOfUnknownStepIsNotScattered) {
  Evidence evidence = EvidenceOf(4, 32, 32, 4, 32);
  evidence.address.form = AddressFact::Form::kAffine;
  EXPECT_EQ(NameOf(evidence), "strided|struct_field|padded_struct:124+");
}

TEST(Classify, NoStructureHasASizeThatOnlyTheRunDecides) {
  Evidence evidence = EvidenceOf(4, 32, 32, 4, 32);
  evidence.address.form = AddressFact::Form::kAffine;
  evidence.address.step_of_run = true;
  EXPECT_EQ(NameOf(evidence), "strided:124+");
}

TEST(Classify, AStepThatDiffersFromLaunchToLaunchIsAStepAllTheSame) {
  Evidence evidence = EvidenceOf(4, 32, 6, 4, 6);
  EXPECT_EQ(NameOf(evidence), "runs:8");
  evidence.address.form = AddressFact::Form::kAffine;
  evidence.address.step_of_run = true;
  EXPECT_EQ(NameOf(evidence), "strided:4+");
}

TEST(Classify, CodeThatContradictsTheCountsIsNotBelieved) {
  EXPECT_EQ(NameOf(Affine(EvidenceOf(4, 32, 4, 4, 1), 128)), "coalesced");
  EXPECT_EQ(NameOf(Affine(EvidenceOf(4, 32, 12, 4, 3), 4)),
            "strided|struct_field|padded_struct:12");
}

TEST(Classify, WhatNoAccessCanHaveIsUnknown) {
  EXPECT_EQ(NameOf({}), "unknown");
  EXPECT_EQ(NameOf(EvidenceOf(0, 32, 4, 4, 1)), "unknown");
  EXPECT_EQ(NameOf(EvidenceOf(3, 32, 4, 4, 1)), "unknown");
  EXPECT_EQ(NameOf(EvidenceOf(4, 33, 4, 4, 1)), "unknown");
  EXPECT_EQ(NameOf(EvidenceOf(4, 32, 33, 4, 1)), "unknown");
  EXPECT_EQ(NameOf(EvidenceOf(4, 32, 20, 4, 20)), "unknown");
}

}  // namespace
}  // namespace coalcheck::patterns

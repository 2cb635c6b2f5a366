// SPDX-License-Identifier: Apache-2.0
//
// Which findings are one to a reader.
#include "libcoalcheck/findings/places/causes.h"

#include <gtest/gtest.h>

namespace coalcheck::findings {
namespace {

// Adds a finding of one instruction.
void Add(Report& report, const char* kernel, std::optional<std::uint32_t> pointer,
         const char* apart, bool is_finding = true) {
  Access& access = report.accesses.emplace_back();
  access.kernel = kernel;
  access.instructions.emplace_back();
  access.instructions[0].address_text.pointer = pointer;
  access.instructions[0].address_text.apart = apart;
  Place& place = report.places.emplace_back();
  place.is_finding = is_finding;
  place.accesses = {report.accesses.size() - 1};
  place.counted = 1;
  place.counts.sectors = Sectors(10);
}

// What the counts say of an access.
void SetPattern(Report& report, std::size_t access, patterns::Pattern pattern,
                std::uint64_t parameter) {
  patterns::Share& share = report.accesses[access].patterns.emplace_back();
  share.pattern.candidates = {{pattern, {parameter, parameter}}};
}

std::vector<std::size_t> MembersOf(const Report& report) {
  std::vector<std::size_t> members;
  for (const Cause& cause : CausesOf(report)) members.push_back(cause.members.size());
  return members;
}

TEST(Causes, AccessesOfOneArrayWithOneStepAreOne) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "k", 0, "12 bytes");
  Add(report, "k", 0, "12 bytes", false);  // no finding
  ASSERT_EQ(MembersOf(report), (std::vector<std::size_t>{2}));
  const Place whole = CausesOf(report)[0].whole;
  EXPECT_EQ(whole.counts.sectors, Sectors(20));
  EXPECT_EQ(whole.accesses, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(whole.counted, 2U);
}

TEST(Causes, InstantiationsThatAreNotCountedStayBehindThoseThatAre) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "k", 0, "12 bytes");
  report.accesses.resize(4);
  report.places[0].accesses.push_back(2);
  report.places[1].accesses.push_back(3);
  const Place whole = CausesOf(report)[0].whole;
  EXPECT_EQ(whole.counted, 2U);
  EXPECT_EQ(whole.accesses, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Causes, OneMemberThatTheBaselineDoesNotKnowMakesTheWholeNew) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "k", 0, "12 bytes");
  EXPECT_EQ(CausesOf(report)[0].whole.standing, "");
  report.places[1].standing = "new";
  EXPECT_EQ(CausesOf(report)[0].whole.standing, "new or worse");
}

TEST(Causes, AnotherKernelArrayOrStepIsAnother) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "other", 0, "12 bytes");
  Add(report, "k", 1, "12 bytes");
  Add(report, "k", 0, "16 bytes");
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{1, 1, 1, 1}));
}

TEST(Causes, ArraysWithOneIndexAreOne) {
  Report report;
  for (const std::uint32_t array : {0U, 1U, 2U}) Add(report, "k", array, "");
  const Frame index{"k", "a.cu", 7};
  for (Access& access : report.accesses) access.instructions[0].address_text.loads = {index};
  report.accesses[2].instructions[0].address_text.loads.push_back({"k", "a.cu", 8});
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{2, 1}));
}

TEST(Causes, ArraysWithOneComputedIndexAreOneWhereAllLanesTakePart) {
  Report report;
  for (const std::uint32_t array : {0U, 1U, 2U}) Add(report, "k", array, "400 bytes");
  for (const std::size_t access : {0U, 1U}) {
    report.accesses[access].instructions[0].address_text.index = 7;
  }
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{2, 1}));
  for (const std::size_t access : {0U, 1U}) {
    SetPattern(report, access, patterns::Pattern::kPartialWarps, 0);
  }
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{1, 1, 1}));
}

TEST(Causes, AnAccessThatAnotherChangeMendsIsOfTheCauseOfItsArrayAndStep) {
  Report report;
  Add(report, "k", 0, "3136 bytes");
  Add(report, "k", 0, "3136 bytes");
  KernelMoves kernel;
  kernel.kernel = "k";
  for (const std::size_t access : {0U, 1U}) {
    KernelMove& move = kernel.moves.emplace_back();
    move.helps = true;
    move.accesses.push_back({access, {1, 32, 32, 4, 32}, {1, 32, 4, 4, 1}});
  }
  report.moves.push_back(kernel);
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{2}));
}

TEST(Causes, WhatIsNotKnownIsOfNoOthersCause) {
  Report report;
  Add(report, "k", std::nullopt, "12 bytes");
  Add(report, "k", std::nullopt, "12 bytes");
  Add(report, "k", 0, "");
  Add(report, "k", 0, "");
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{1, 1, 1, 1}));
}

// A change that halves the sectors of these accesses.
void AddMove(Report& report, const std::vector<std::size_t>& accesses, bool helps = true) {
  KernelMove& move = report.moves.emplace_back().moves.emplace_back();
  move.helps = helps;
  for (const std::size_t access : accesses) {
    AccessChange& change = move.accesses.emplace_back();
    change.access = access;
    change.before.sectors = 8;
    change.after.sectors = 4;
  }
}

TEST(Causes, ArraysThatOneChangeMendsAreOneWhereTheirStepsAre) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "k", 1, "12 bytes");
  Add(report, "k", std::nullopt, "12 bytes");  // of both arrays
  Add(report, "k", 2, "16 bytes");
  AddMove(report, {0, 1, 2, 3});
  report.moves[0].moves[0].move.kind = moves::MoveKind::kFieldArrays;
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{3, 1}));
}

TEST(Causes, AStepIsOneWhateverItsPatternIsCalledAndWhoeverNamesIt) {
  Report report;
  Add(report, "k", 0, "size = 9 floats");
  Add(report, "k", 0, "");
  Add(report, "k", 0, "");
  SetPattern(report, 0, patterns::Pattern::kStrided, 36);
  SetPattern(report, 1, patterns::Pattern::kStructField, 36);
  SetPattern(report, 2, patterns::Pattern::kStrided, 40);
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{2, 1}));
}

TEST(Causes, WhatHasALineIsOfNoCauseWithWhatHasNone) {
  Report report;
  for (int i = 0; i < 4; ++i) Add(report, "k", 0, "12 bytes");
  for (const std::size_t access : {1U, 2U}) report.accesses[access].shown = Frame{"k", "a.cu", 7};
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{2, 2}));
}

TEST(Causes, ArraysThatThreadsInOtherPlacesMendAreOneWhateverTheirSteps) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "k", 1, "16 bytes");
  Add(report, "k", 2, "20 bytes");
  AddMove(report, {0, 1, 2});
  KernelMove& move = report.moves[0].moves[0];
  move.move.kind = moves::MoveKind::kExchangeAxes;
  move.accesses[2].after.sectors = 7;  // most of what it wastes has another cause
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{2, 1}));
  move.move.kind = moves::MoveKind::kFieldArrays;
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{1, 1, 1}));
}

TEST(Causes, AChangeThatHelpsNobodyMakesNothingOne) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "k", 1, "12 bytes");
  AddMove(report, {0, 1}, false);
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{1, 1}));
}

}  // namespace
}  // namespace coalcheck::findings

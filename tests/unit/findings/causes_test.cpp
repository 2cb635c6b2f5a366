// SPDX-License-Identifier: Apache-2.0
//
// Which findings are one to a reader.
#include "libcoalcheck/findings/causes.h"

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
  EXPECT_EQ(CausesOf(report)[0].counts.sectors, Sectors(20));
}

TEST(Causes, AnotherKernelArrayOrStepIsAnother) {
  Report report;
  Add(report, "k", 0, "12 bytes");
  Add(report, "other", 0, "12 bytes");
  Add(report, "k", 1, "12 bytes");
  Add(report, "k", 0, "16 bytes");
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{1, 1, 1, 1}));
}

TEST(Causes, WhatIsNotKnownIsOfNoOthersCause) {
  Report report;
  Add(report, "k", std::nullopt, "12 bytes");
  Add(report, "k", std::nullopt, "12 bytes");
  Add(report, "k", 0, "");
  Add(report, "k", 0, "");
  EXPECT_EQ(MembersOf(report), (std::vector<std::size_t>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace coalcheck::findings

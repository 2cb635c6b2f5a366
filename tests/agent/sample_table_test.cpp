// SPDX-License-Identifier: Apache-2.0
//
// Samples are added up in bounded memory, and none is lost when the bound is met.
#include "injection/agent/sampling/sample_table.h"

#include <gtest/gtest.h>

#include <random>

namespace coalcheck::agent {
namespace {

SampledPc One(std::uint64_t cubin, const std::string& function, std::uint64_t pc,
              std::uint64_t reason, std::uint64_t samples) {
  const PcOffset offset(static_cast<std::uint32_t>(pc));
  const StallReason stall(static_cast<std::uint32_t>(reason));
  return {CubinId(cubin), function, offset, {{stall, Samples(samples)}}};
}

bool Known(CubinId id) { return id != CubinId(9); }

std::uint64_t SumOf(const std::vector<recording::FunctionSamples>& functions) {
  std::uint64_t sum = 0;
  for (const recording::FunctionSamples& function : functions) {
    for (const recording::SampleRow& row : function.rows) sum += row.samples.count();
  }
  return sum;
}

TEST(SampleTable, SamplesOfOneInstructionAndReasonAreAddedUp) {
  SampleTable table;
  EXPECT_TRUE(table.Add(One(1, "k", 32, 0, 5)));
  EXPECT_TRUE(table.Add(One(1, "k", 16, 1, 2)));
  EXPECT_TRUE(table.Add(One(1, "k", 32, 0, 7)));
  EXPECT_EQ(table.rows(), 2U);
  const auto taken = table.Take(Known);
  ASSERT_EQ(taken.size(), 1U);
  ASSERT_EQ(taken[0].rows.size(), 2U);
  EXPECT_EQ(taken[0].rows[0].pc, PcOffset(16));
  EXPECT_EQ(taken[0].rows[1].samples, Samples(12));
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.rows(), 0U);
}

TEST(SampleTable, ACubinThatWasNotSeenLoadingStaysUnnamed) {
  SampleTable table;
  table.Add(One(1, "k", 0, 0, 1));
  table.Add(One(9, "k", 0, 0, 1));
  const auto taken = table.Take(Known);
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].cubin, CubinId(1));
  EXPECT_FALSE(taken[1].cubin.has_value());
}

TEST(SampleTable, AFullTableTakesNothingMoreAndAnEmptyOneAnything) {
  SampleTable table;
  std::uint32_t pc = 0;
  while (table.Add(One(1, "k", 16 * pc, 0, 1))) ++pc;
  EXPECT_EQ(pc, SampleTable::kMostRows);
  EXPECT_EQ(SumOf(table.Take(Known)), SampleTable::kMostRows);
  const std::string long_name(2 * SampleTable::kMostNameBytes, 'x');
  EXPECT_TRUE(table.Add(One(1, long_name, 0, 0, 1)));
  EXPECT_FALSE(table.Add(One(1, "k", 0, 0, 1)));
}

TEST(SampleTable, WhateverComesInGoesOut) {
  std::mt19937 random(7);
  SampleTable table;
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  for (int i = 0; i < 200000; ++i) {
    const SampledPc one = One(random() % 3, "k" + std::to_string(random() % 9), random() % 20000,
                              random() % 20, random() % 4);
    in += one.stalls[0].second.count();
    if (table.Add(one)) continue;
    out += SumOf(table.Take(Known));
    ASSERT_TRUE(table.Add(one));
  }
  EXPECT_EQ(out + SumOf(table.Take(Known)), in);
}

}  // namespace
}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// Parts add up to the whole, whatever the weights.
#include "libcoalcheck/cost/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace coalcheck::cost {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint64_t> Of(std::uint64_t whole, std::vector<std::uint64_t> weights) {
  return Split(whole, weights);
}

TEST(Split, IsInProportion) {
  EXPECT_THAT(Of(90, {1, 2}), ElementsAre(30, 60));
  EXPECT_THAT(Of(100, {0, 5}), ElementsAre(0, 100));
}

TEST(Split, IsEqualWhereNothingIsKnown) { EXPECT_THAT(Of(90, {0, 0, 0}), ElementsAre(30, 30, 30)); }

TEST(Split, OfNobodyIsNothing) { EXPECT_THAT(Of(90, {}), IsEmpty()); }

TEST(Split, AddsUpForRandomAndExtremeNumbers) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint64_t> weights(1 + random() % 9);
    for (std::uint64_t& weight : weights) weight = random() >> (random() % 64);
    const std::uint64_t whole = random() >> (random() % 64);
    const std::vector<std::uint64_t> parts = Split(whole, weights);
    ASSERT_EQ(parts.size(), weights.size());
    ASSERT_EQ(std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}), whole);
    for (const std::uint64_t part : parts) ASSERT_LE(part, whole);
  }
}

}  // namespace
}  // namespace coalcheck::cost

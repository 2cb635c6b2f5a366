// SPDX-License-Identifier: Apache-2.0
//
// Launches of which only some blocks and warps are evaluated: which, and how far they stand for
// all.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "libcoalcheck/address/block_choice.h"
#include "libcoalcheck/address/launch_evaluation.h"
#include "tests/unit/address/small_kernel.h"

namespace coalcheck::address {
namespace {

class Walk : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Walk, TakesEachBlockOnce) {
  const Extent grid{GetParam(), 3, 1};
  BlockChoice choice(grid);
  std::set<std::uint64_t> numbers;
  while (const auto block = choice.Next()) {
    EXPECT_LT(block->index.x, grid.x);
    EXPECT_LT(block->index.y, grid.y);
    numbers.insert(block->number);
    ASSERT_LE(numbers.size(), grid.count());
  }
  EXPECT_EQ(numbers.size(), grid.count());
}

INSTANTIATE_TEST_SUITE_P(Widths, Walk, testing::Values(1U, 2U, 3U, 33U, 34U, 66U, 1000U));

// Where a row begins in its sector goes by the block's number, so 32 blocks are to have 32 places.
TEST(Walk, HasEveryRemainderInThirtyTwoBlocksOfAKind) {
  BlockChoice choice({4098, 1, 1});
  std::set<std::uint32_t> remainders;
  for (int i = 0; i < 34; ++i) {
    const auto block = choice.Next();
    ASSERT_TRUE(block.has_value());
    const bool is_inner = block->index.x > 0 && block->index.x < 4097;
    if (is_inner) remainders.insert(block->index.x % 32);
  }
  EXPECT_EQ(remainders.size(), 32U);
}

// Loads a float each at block * argument + thread, for all the threads of a block.
const std::string kUnevenRows = "mad.lo.s32 %r6, %r3, %r2, %r5;\n" + std::string(kIndexed);

double SectorsPerRequest(const EvaluatedAccess& access) {
  return access.sums.sectors / access.sums.requests;
}

TEST(ChosenBlocks, OfBlocksThatDifferFewWarpsAreRunInMoreBlocks) {
  constexpr Extent kGrid{4096, 1, 1};
  constexpr Extent kBlock{1024, 1, 1};
  constexpr std::uint32_t kRow = 5137;
  const LaunchEvaluation all =
      EvaluateKernel(kUnevenRows, kGrid, kBlock, kRow, {.steps = 10'000'000});
  const LaunchEvaluation some = EvaluateKernel(kUnevenRows, kGrid, kBlock, kRow, {.steps = 8'000});
  ASSERT_TRUE(all.is_complete);
  EXPECT_FALSE(some.is_complete);
  EXPECT_TRUE(some.covers);
  const std::uint64_t whole_blocks = 8'000 / (all.steps / kGrid.x);
  EXPECT_GT(some.blocks_evaluated, 4 * whole_blocks);
  EXPECT_NEAR(SectorsPerRequest(some.accesses.at(0)), SectorsPerRequest(all.accesses.at(0)), 0.02);
  EXPECT_NEAR(some.accesses[0].sums.requests, all.accesses[0].sums.requests,
              0.02 * all.accesses[0].sums.requests);
}

TEST(ChosenBlocks, OfBlocksThatAreAlikeAllWarpsAreRun) {
  // Warps 0, 4, 8, … alone load: one in four, which few warps would not show.
  const LaunchEvaluation some = EvaluateKernel(
      "and.b32 %r6, %r5, 96;\nsetp.ne.s32 %p1, %r6, 0;\n@%p1 bra $END;\n"
      "mov.u32 %r6, %r1;\n" +
          std::string(kIndexed) + "$END:\n",
      {100'000, 1, 1}, {1024, 1, 1}, 1, {.steps = 50'000});
  ASSERT_EQ(some.accesses.size(), 1U);
  EXPECT_NEAR(some.accesses[0].sums.requests, 800'000, 1);
}

TEST(ChosenBlocks, TheErrorSaysHowFarTheyMayBeOff) {
  constexpr Extent kGrid{4096, 1, 1};
  constexpr Extent kBlock{256, 1, 1};
  const LaunchEvaluation all =
      EvaluateKernel(kUnevenRows, kGrid, kBlock, 17, {.steps = 10'000'000});
  const LaunchEvaluation some = EvaluateKernel(kUnevenRows, kGrid, kBlock, 17, {.steps = 3'000});
  ASSERT_FALSE(some.is_complete);
  const EvaluatedAccess& access = some.accesses.at(0);
  EXPECT_GT(access.error, 0);
  EXPECT_LT(access.error, 0.2);
  EXPECT_LE(std::abs(SectorsPerRequest(access) - SectorsPerRequest(all.accesses.at(0))),
            4 * access.error);
}

TEST(ChosenBlocks, WhoeverAsksForThemSaysWhenBlocksAreEnough) {
  constexpr Extent kGrid{4096, 1, 1};
  constexpr Extent kBlock{256, 1, 1};
  std::vector<std::uint64_t> asked;
  EvaluationLimits limits{.steps = 8'000};
  limits.is_enough = [&](const LaunchEvaluation& so_far) {
    EXPECT_TRUE(so_far.covers);
    EXPECT_FALSE(so_far.is_complete);
    asked.push_back(so_far.steps);
    return asked.size() == 2;
  };
  const LaunchEvaluation some = EvaluateKernel(kUnevenRows, kGrid, kBlock, 17, limits);
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_GE(asked[0], limits.steps / 8);
  EXPECT_GE(asked[1], 2 * asked[0]);
  EXPECT_EQ(some.steps, asked[1]);
  EXPECT_EQ(some.end, WarpEnd::kDone);
  EXPECT_FALSE(some.is_complete);
}

TEST(ChosenBlocks, NobodyIsAskedWhereAllBlocksCanBeEvaluated) {
  EvaluationLimits limits{.steps = 1'000'000};
  limits.is_enough = [](const LaunchEvaluation&) { return true; };
  const LaunchEvaluation all = EvaluateKernel(kUnevenRows, {4096, 1, 1}, {256, 1, 1}, 17, limits);
  EXPECT_TRUE(all.is_complete);
  EXPECT_GT(all.steps, limits.steps / 8);
}

TEST(ChosenBlocks, BlocksThatAreAlikeHaveNoError) {
  const LaunchEvaluation some = EvaluateKernel("mov.u32 %r6, %r1;\n" + std::string(kIndexed),
                                               {100'000, 1, 1}, {32, 1, 1}, 1, {.steps = 20'000});
  EXPECT_EQ(some.accesses.at(0).error, 0);
}

TEST(ChosenBlocks, ABlockThatTheStepsDoNotSufficeForDoesNotCoverItsKind) {
  const LaunchEvaluation some = EvaluateKernel("mov.u32 %r6, %r1;\n" + std::string(kIndexed),
                                               {3, 1, 1}, {64, 1, 1}, 1, {.steps = 60});
  EXPECT_EQ(some.end, WarpEnd::kOutOfSteps);
  EXPECT_FALSE(some.covers);
}

}  // namespace
}  // namespace coalcheck::address

// SPDX-License-Identifier: Apache-2.0
//
// How many ways are followed where a barrier may lead to many places, and where ways meet.
#include "libcoalcheck/machine_code/control_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/machine_code/loops.h"

namespace coalcheck::machine_code {
namespace {

// `number` instructions set one barrier to places of their own, one loses what is known of
// barriers, and as many wait at it: each may lead to each of the places.
ControlFlow OfOneBarrier(std::size_t number) {
  std::vector<Instruction> code(2 * number + 2);
  for (std::size_t i = 0; i < number; ++i) {
    code[i].flow = Flow::kSetSync;
    code[i].target = static_cast<std::int64_t>(number + 1 + i) * cubin::kSassWordSize;
    code[number + 1 + i].flow = Flow::kSync;
    code[number + 1 + i].conditional = true;
  }
  code[number].flow = Flow::kLoseSync;
  code.back().flow = Flow::kExit;
  return BuildControlFlow(code, {}, std::array<std::int64_t, 1>{0});
}

TEST(ControlFlow, ABarrierThatIsLostLeadsToEachPlaceThatItWasSetTo) {
  const ControlFlow flow = OfOneBarrier(10);
  ASSERT_TRUE(flow.readable);
  const Block& waits = flow.blocks[flow.block_of[15]];
  EXPECT_EQ(waits.successors.size(), 10U);
  EXPECT_EQ(waits.predecessors.size(), 10U);
}

TEST(ControlFlow, OfMoreWaysThanAreFollowedItIsUnreadable) {
  EXPECT_TRUE(OfOneBarrier(500).readable);
  EXPECT_FALSE(OfOneBarrier(20'000).readable);
}

TEST(ControlFlow, OfMoreWaysThanAreFollowedItIsNotLookedAtToItsEnd) {
  constexpr std::uint32_t kPlaces = 20'000;
  const ControlFlow flow = OfOneBarrier(kPlaces);
  const auto followed = std::ranges::count_if(
      flow.blocks, [](const Block& block) { return block.begin > kPlaces && block.reached; });
  EXPECT_GT(followed, 10);
  EXPECT_LT(followed, 100);
}

// Each of `length` blocks goes on to the next or to the one behind that; the last leaves.
std::vector<Block> AWayOfLeaps(std::uint32_t length) {
  std::vector<Block> blocks(length);
  for (std::uint32_t i = 0; i < length; ++i) {
    blocks[i].reached = true;
    blocks[i].leaves = i + 1 == length;
    if (i + 1 < length) blocks[i].successors.push_back(i + 1);
    if (i + 2 < length) blocks[i].successors.push_back(i + 2);
    for (const std::uint32_t to : blocks[i].successors) blocks[to].predecessors.push_back(i);
  }
  return blocks;
}

TEST(PostDominators, AreNotKnownWhereTheyTakeMoreStepsThanThereAre) {
  const std::vector<Block> blocks = AWayOfLeaps(1000);
  std::uint64_t steps = 100'000;
  const std::vector<std::uint32_t> found = PostDominators(blocks, steps);
  ASSERT_EQ(found.size(), blocks.size());
  EXPECT_EQ(found[997], 999U);
  EXPECT_EQ(found[999], kNoPostDominator);
  EXPECT_LT(steps, 100'000U);
  steps = 100;
  EXPECT_TRUE(PostDominators(blocks, steps).empty());
  EXPECT_EQ(steps, 0U);
}

}  // namespace
}  // namespace coalcheck::machine_code

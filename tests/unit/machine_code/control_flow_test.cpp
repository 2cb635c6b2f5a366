// SPDX-License-Identifier: Apache-2.0
//
// How many ways are followed where a barrier may lead to many places.
#include "libcoalcheck/machine_code/control_flow.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "libcoalcheck/cubin/sass.h"

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

}  // namespace
}  // namespace coalcheck::machine_code

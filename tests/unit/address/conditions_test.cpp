// SPDX-License-Identifier: Apache-2.0
//
// What is known of arguments behind conditions, and how much is looked at for it.
#include "libcoalcheck/address/conditions.h"

#include <gtest/gtest.h>

#include "libcoalcheck/address/warp_steps.h"

namespace coalcheck::address {
namespace {

class ConditionsTest : public ::testing::Test {
 protected:
  Form Argument(std::uint32_t place) {
    return unknowns_.Symbol(ArgumentKey(place, 4),
                            unknowns_.One({Origin::Kind::kParameter, place}));
  }
  // Squared so many times.
  Form Power(Form form, int squarings) {
    for (int i = 0; i < squarings; ++i) form = conditions_.ProductOf(form, form);
    return form;
  }
  // Behind `argument > number` and, in the next lane, `argument > number + 1`, and so on.
  const Bound* Above(const Bound* bounds, Form argument, std::uint64_t number) {
    LaneValues predicate;
    const ptx::Opcode code = ptx::ReadOpcode("setp.gt.s32");
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const Form form =
          unknowns_.Symbol({Unknowns::Of::kLoad, ++predicates_}, unknowns_.OriginsOf(argument));
      conditions_.Note(form, code, {Value{0, argument}, Value{number + lane}});
      predicate.Set(lane, Value{0, form});
    }
    return conditions_.With(bounds, predicate, ~LaneMask{0}, true);
  }

  Unknowns unknowns_;
  std::uint64_t steps_ = 1'000'000;
  std::uint64_t predicates_ = 0;
  Conditions conditions_{unknowns_, steps_};
};

TEST_F(ConditionsTest, AProductIsAtLeastThatOfItsFactors) {
  const Form argument = Argument(0);
  const Bound seven{nullptr, argument, 7};
  EXPECT_EQ(conditions_.LeastOf(&seven, argument), 7);
  EXPECT_EQ(conditions_.LeastOf(&seven, Power(argument, 2)), 7 * 7 * 7 * 7);
  EXPECT_EQ(conditions_.LeastOf(nullptr, Power(argument, 2)), 0);
}

// Else each product would be looked at twice as often as the one that it is made of.
TEST_F(ConditionsTest, OfProductsOfProductsNothingIsKnownBeyondAFewSoThatTheyEnd) {
  const Form argument = Argument(0);
  const Bound seven{nullptr, argument, 7};
  EXPECT_EQ(conditions_.LeastOf(&seven, Power(argument, 60)), 0);
}

TEST_F(ConditionsTest, OfOneArgumentTheHighestBoundAloneIsKept) {
  const Form argument = Argument(0);
  const Bound* bounds = Above(nullptr, argument, 10);
  EXPECT_EQ(conditions_.LeastOf(bounds, argument), 10 + 32);
  EXPECT_EQ(bounds->length, 1U);
}

TEST_F(ConditionsTest, AChainOfBoundsEndsAndLookingThroughItCountsAsSteps) {
  const Bound* bounds = nullptr;
  for (std::uint32_t place = 0; place < 100; ++place)
    bounds = Above(bounds, Argument(4 * place), 10);
  EXPECT_EQ(bounds->length, 64U);
  EXPECT_EQ(conditions_.LeastOf(bounds, Argument(0)), 42);
  EXPECT_LT(steps_, 1'000'000U - 100 * 32 * 32 / 64);
}

}  // namespace
}  // namespace coalcheck::address

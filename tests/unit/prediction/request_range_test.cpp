// SPDX-License-Identifier: Apache-2.0
//
// One request, of which not all is known.
#include "libcoalcheck/prediction/request_range.h"

#include <gtest/gtest.h>

namespace coalcheck::prediction {
namespace {

using address::Form;
using address::Origin;
using address::Unknowns;

class RequestRangeTest : public testing::Test {
 protected:
  // A value that nobody knows, times `factor`.
  Form Symbol(std::uint64_t number, std::uint64_t factor) {
    const Form form = unknowns_.Symbol({Unknowns::Of::kLoad, number},
                                       unknowns_.One({Origin::Kind::kParameter, 0}));
    return unknowns_.Scale(form, factor);
  }
  // All 32 lanes, `step` bytes from lane to lane, behind `start` and the form.
  address::Request Request(std::uint64_t start, std::uint64_t step, Form form) {
    address::Request request;
    request.active = ~address::LaneMask{0};
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      request.addresses.Set(lane, {start + lane * step, form});
    }
    return request;
  }
  Unknowns unknowns_;
};

TEST_F(RequestRangeTest, NeighboursBehindAnAlignedPointerCostFourSectors) {
  const RequestRange range = RequestRanges().Of(Request(0, 4, Symbol(0, 256)), 4, 0, unknowns_);
  EXPECT_EQ(range.least.sectors, Sectors(4));
  EXPECT_EQ(range.most.sectors, Sectors(4));
  EXPECT_FALSE(range.lanes_are_open);
}

TEST_F(RequestRangeTest, ARowOfUnknownLengthMayBeginInsideASector) {
  const RequestRange range = RequestRanges().Of(Request(0, 4, Symbol(0, 4)), 4, 0, unknowns_);
  EXPECT_EQ(range.least.sectors, Sectors(4));
  EXPECT_EQ(range.most.sectors, Sectors(5));
}

TEST_F(RequestRangeTest, ALongStepWastesWhereverItBegins) {
  const RequestRange range = RequestRanges().Of(Request(0, 128, Symbol(0, 4)), 4, 0, unknowns_);
  EXPECT_EQ(range.least.sectors, Sectors(32));
  EXPECT_EQ(range.least.ideal_sectors, Sectors(4));
}

TEST_F(RequestRangeTest, AnOffsetThatIsKnownIsNotForgiven) {
  const RequestRange range = RequestRanges().Of(Request(4, 4, Symbol(0, 256)), 4, 0, unknowns_);
  EXPECT_EQ(range.least.sectors, Sectors(5));
}

TEST_F(RequestRangeTest, RoundsThatNobodyKnowsMayShiftAnAddressIntoASector) {
  const address::Request request = Request(4, 4, Symbol(0, 256));
  EXPECT_EQ(RequestRanges().Of(request, 4, 4, unknowns_).least.sectors, Sectors(4));
  EXPECT_EQ(RequestRanges().Of(request, 4, 32, unknowns_).least.sectors, Sectors(5));
}

TEST_F(RequestRangeTest, LanesWithValuesOfTheirOwnMayLieAnywhere) {
  address::Request request = Request(0, 0, address::kNoForm);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    request.addresses.Set(lane, {0, Symbol(lane, 4)});
  }
  const RequestRange range = RequestRanges().Of(request, 4, 0, unknowns_);
  EXPECT_TRUE(range.lanes_are_open);
  EXPECT_EQ(range.least.sectors, Sectors(4));
  EXPECT_EQ(range.most.sectors, Sectors(32));
  EXPECT_EQ(range.most.ideal_sectors, Sectors(4));
}

}  // namespace
}  // namespace coalcheck::prediction

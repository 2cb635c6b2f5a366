// SPDX-License-Identifier: Apache-2.0
//
// What is told apart within one access, and that nothing is lost in doing so.
#include "libcoalcheck/patterns/shares.h"

#include <gtest/gtest.h>

#include "tests/unit/patterns/evidence_of.h"

namespace coalcheck::patterns {
namespace {

std::vector<Share> SharesOf(const std::vector<Evidence>& all) {
  std::vector<Share> shares;
  for (const Evidence& evidence : all) AddEvidence(evidence, shares);
  SettleShares(shares);
  return shares;
}

TEST(Shares, EqualPatternsAreOne) {
  const auto shares = SharesOf({EvidenceOf(4, 32, 12, 4, 3), EvidenceOf(4, 32, 12, 4, 3, 1500)});
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(shares[0].counts.requests, Requests(3500));
  EXPECT_EQ(shares[0].width, Bytes(4));
}

TEST(Shares, ParametersThatMeetGrowToHoldBoth) {
  const auto shares = SharesOf({EvidenceOf(4, 32, 32, 4, 9), EvidenceOf(4, 32, 32, 4, 10)});
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(ShortForm(shares[0].pattern.candidates), "strided|struct_field|padded_struct:32-40");
}

TEST(Shares, ThoseThatALaterOneBridgesAreJoinedToo) {
  const auto shares = SharesOf(
      {EvidenceOf(4, 32, 32, 4, 8), EvidenceOf(4, 32, 32, 4, 10), EvidenceOf(4, 32, 32, 4, 9)});
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(ShortForm(shares[0].pattern.candidates), "strided|struct_field|padded_struct:32-40");
}

TEST(Shares, OtherPatternsStayApartAndTheMostWastefulComesFirst) {
  const auto shares = SharesOf(
      {EvidenceOf(4, 32, 4, 4, 1), EvidenceOf(4, 32, 8, 4, 2), EvidenceOf(4, 32, 32, 4, 16)});
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0].counts.sectors, Sectors(64000));
  EXPECT_EQ(ShortForm(shares[2].pattern.candidates), "coalesced");
}

TEST(Shares, AnotherWidthIsNoWidthOfAll) {
  const auto shares = SharesOf({EvidenceOf(4, 32, 4, 4, 1), EvidenceOf(8, 32, 8, 8, 2)});
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(shares[0].width, Bytes(0));
}

TEST(Shares, TooManyBecomeOneOfUnknownPatternAndNoSectorIsLost) {
  std::vector<Evidence> all;
  Sectors sectors;
  for (std::int64_t step = 1; step <= 100; ++step) {
    Evidence evidence = EvidenceOf(4, 32, 32, 4, 32);
    evidence.address.form = AddressFact::Form::kAffine;
    evidence.address.lane_step = ByteStep(step * 128);
    sectors += evidence.counts.sectors;
    all.push_back(evidence);
  }
  const auto shares = SharesOf(all);
  EXPECT_EQ(shares.size(), kMostShares);
  EXPECT_TRUE(shares[0].pattern.Is(Pattern::kUnknown));
  Sectors kept;
  for (const Share& share : shares) kept += share.counts.sectors;
  EXPECT_EQ(kept, sectors);
}

}  // namespace
}  // namespace coalcheck::patterns

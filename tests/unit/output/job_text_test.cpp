// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a job in the text report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/findings/words/rank_words.h"
#include "libcoalcheck/output/view/job.h"
#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

findings::Report Report() {
  findings::Report report = TransposeReport().Make();
  report.job = MakeSampleJob();
  return report;
}

TEST(JobText, SaysWhoIsThereAndWhoIsMissing) {
  EXPECT_THAT(RankNotes(Report()),
              ElementsAre("2 of 4 ranks recorded; ranks 2-3 are missing",
                          "rank 1 recorded on 2 hosts: node0, node1",
                          "ranks compared in 3 shapes of a kernel that several of them counted; 1 "
                          "counted by one alone"));
}

TEST(JobText, SaysNothingWhereNobodyHasARank) {
  const findings::Report report = TransposeReport().Make();
  EXPECT_THAT(RankNotes(report), IsEmpty());
  EXPECT_THAT(DifferenceNotes(report), IsEmpty());
  EXPECT_THAT(RankRows(report), IsEmpty());
}

TEST(JobText, NamesTheRankThatIsNotLikeTheOthers) {
  EXPECT_THAT(DifferenceNotes(Report()),
              ElementsAre("a.cu:2: store: rank 1 not like the other 2: sectors a request from 4 "
                          "(rank 0) to 32 (rank 1), grid 128x1x1, block 32x8x1"));
}

TEST(JobText, WhereNoneIsLikeMostOthersTheMedianStandsForThem) {
  findings::Report report = Report();
  report.job->differences[0].typical.reset();
  EXPECT_THAT(DifferenceNotes(report),
              ElementsAre(HasSubstr("sectors a request differ over 3 processes from 4 (rank 0) to "
                                    "32 (rank 1), median 4")));
}

TEST(JobText, AWorldOfUnknownSizeHasNoMissingRanks) {
  findings::Report report = Report();
  report.job->jobs[0].world_size.reset();
  EXPECT_EQ(RankNotes(report)[0], "2 ranks recorded, of an unknown number: ranks 0-1");
}

TEST(JobText, EachRankIsListedOnlyWhereThatIsAskedFor) {
  findings::Report report = Report();
  EXPECT_THAT(RankRows(report), ElementsAre("rank 1 on node0: 2 of 9 launches checked, 80 sectors, "
                                            "50 % of them wasted"));
  report.job->is_grouped = false;
  EXPECT_THAT(RankRows(report), IsEmpty());
}

TEST(RankWords, NameStretchesAndCountTheRest) {
  recording::RankSet ranks;
  ranks.Add(3);
  EXPECT_EQ(words::Ranks(ranks), "rank 3");
  ranks.Add(7, 9);
  EXPECT_EQ(words::Ranks(ranks), "ranks 3 and 7-9");
  for (std::uint32_t rank = 20; rank < 60; rank += 2) ranks.Add(rank);
  EXPECT_EQ(words::Ranks(ranks), "ranks 3, 7-9, 20, 22, 24, 26, 28, 30 and 14 more");
}

}  // namespace
}  // namespace coalcheck::output

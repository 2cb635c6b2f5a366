// SPDX-License-Identifier: Apache-2.0
//
// From recordings of ranks to what a report says of their job.
#include "libcoalcheck/findings/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

constexpr const char* kKernel = "kernel";

class JobTest : public ::testing::Test {
 protected:
  JobTest() {
    sources_.files[kSource] = {"line"};
    code_.Add(kCubin, kKernel).accesses = {
        MakeAccess(16, cubin::AccessKind::kLoad, {{kKernel, kSource, 1}})};
  }

  // Requests of a rank that touch so many sectors each.
  static recording::RecordedRun Rank(std::uint32_t rank, std::uint64_t sectors,
                                     std::uint64_t requests = 1000) {
    recording::RecordedRun run = MakeRun();
    run.header.job = {rank, std::nullopt, 8, "slurm 1.0"};
    run.windows = {MakeWindow(1, kKernel, {MakeRow(16, requests, sectors, 4)})};
    return run;
  }
  Job JobOf(const std::vector<recording::RecordedRun>& runs) {
    std::optional<Job> job = ReportOn(runs, code_, sources_).job;
    EXPECT_TRUE(job.has_value());
    return job.value_or(Job{});
  }

  FakeCode code_;
  FakeSources sources_;
};

TEST_F(JobTest, ProcessesWithoutARankAreNoJob) {
  recording::RecordedRun run = Rank(0, 4);
  run.header.job = {};
  EXPECT_FALSE(ReportOn({run}, code_, sources_).job.has_value());
}

TEST_F(JobTest, EqualRatesAreNoDifferenceHoweverManyRequestsThereAre) {
  const Job job = JobOf({Rank(0, 4), Rank(1, 4, 3000), Rank(2, 4)});
  EXPECT_TRUE(job.differences.empty());
  EXPECT_EQ(job.shapes_compared, 1U);
  EXPECT_EQ(job.shapes_alone, 0U);
}

TEST_F(JobTest, TheRankThatDiffersFromMostIsNamed) {
  const Job job = JobOf({Rank(0, 4), Rank(1, 4), Rank(2, 4), Rank(5, 32)});
  ASSERT_EQ(job.differences.size(), 1U);
  const RankDifference& difference = job.differences[0];
  ASSERT_TRUE(difference.typical.has_value());
  EXPECT_EQ(difference.typical->processes, 3U);
  EXPECT_EQ(difference.other_processes, 1U);
  EXPECT_TRUE(difference.others.Contains(5));
  EXPECT_EQ(difference.others.Count(), 1U);
  EXPECT_EQ(difference.median_sectors_per_request, 4);
}

TEST_F(JobTest, ADifferenceOfLessThanAStepIsStillSeen) {
  recording::RecordedRun other = Rank(1, 4);
  other.windows[0].functions[0].rows[0].values[4] += 1;
  const Job job = JobOf({Rank(0, 4), other});
  ASSERT_EQ(job.differences.size(), 1U);
  EXPECT_EQ(job.differences[0].touched.most.rank, 1U);
  EXPECT_EQ(job.differences[0].other_processes, 0U) << "all are in one step";
}

TEST_F(JobTest, WhereNoStepHasMostOfTheRanksNoneIsCalledTheOther) {
  const Job job = JobOf({Rank(0, 4), Rank(1, 8), Rank(2, 16), Rank(3, 32)});
  ASSERT_EQ(job.differences.size(), 1U);
  EXPECT_FALSE(job.differences[0].typical.has_value());
  EXPECT_EQ(job.differences[0].median_sectors_per_request, 8);
}

TEST_F(JobTest, ShapesThatOneRankAloneCountedAreNotCompared) {
  recording::RecordedRun other = Rank(1, 32);
  other.windows[0].inside[0].shape.grid = {7, 1, 1};
  const Job job = JobOf({Rank(0, 4), other});
  EXPECT_TRUE(job.differences.empty());
  EXPECT_EQ(job.shapes_alone, 2U);
}

TEST_F(JobTest, MissingRanksAreThoseOfTheWorldThatAreNotThere) {
  const Job job = JobOf({Rank(0, 4), Rank(5, 4)});
  ASSERT_EQ(job.jobs.size(), 1U);
  EXPECT_EQ(job.jobs[0].missing.Count(), 6U);
  EXPECT_FALSE(job.jobs[0].missing.Contains(5));
  EXPECT_EQ(job.expected(), 8U);
  EXPECT_EQ(FirstShort(job, {std::nullopt, 0.9}).value_or(RanksShort()).asked, 8U) << "7.2 of 8";
  EXPECT_EQ(FirstShort(job, {3, 1}).value_or(RanksShort()).asked, 3U);
  EXPECT_FALSE(FirstShort(job, {2, 1}).has_value());
  EXPECT_FALSE(FirstShort(job, {std::nullopt, 0.25}).has_value());
}

TEST_F(JobTest, RanksBeyondTheWorldMakeUpForNoneThatIsMissing) {
  const Job job = JobOf({Rank(0, 4), Rank(1, 4), Rank(8, 4), Rank(9, 4)});
  EXPECT_EQ(job.recorded(), 2U);
  EXPECT_TRUE(FirstShort(job, {std::nullopt, 0.5}).has_value());
}

TEST_F(JobTest, EachJobIsAskedForItsRanksByItself) {
  recording::RecordedRun whole = Rank(0, 4);
  whole.header.job = {0, std::nullopt, 1, "whole"};
  recording::RecordedRun unknown = Rank(0, 4);
  unknown.header.job = {0, std::nullopt, std::nullopt, "a job of unknown size"};
  const std::optional<RanksShort> lack =
      FirstShort(JobOf({whole, unknown, Rank(0, 4)}), {std::nullopt, 0.5});
  ASSERT_TRUE(lack.has_value());
  EXPECT_EQ(lack->recorded, 1U);
  EXPECT_EQ(lack->expected, 8U);
  EXPECT_EQ(lack->asked, 4U);
  EXPECT_FALSE(FirstShort(JobOf({whole, unknown}), {}).has_value());
}

}  // namespace
}  // namespace coalcheck::findings

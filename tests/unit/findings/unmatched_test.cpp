// SPDX-License-Identifier: Apache-2.0
//
// Which filters are said to have fitted nothing when a report is about many processes.
#include "libcoalcheck/findings/places/unmatched.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace coalcheck::findings {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

RecordingInfo Rank(std::vector<recording::Unmatched> unmatched, bool ended = true) {
  RecordingInfo rank;
  rank.unmatched = std::move(unmatched);
  if (ended) rank.end = recording::End{"exit", 1, {}};
  return rank;
}

TEST(UnmatchedInAll, AFilterThatFittedInOneProcessIsNone) {
  Report report;
  report.recordings = {Rank({{"kernel", "copy", {"scale"}}}), Rank({})};
  EXPECT_THAT(UnmatchedInAll(report), IsEmpty());
}

TEST(UnmatchedInAll, OneThatFittedNowhereIsNamedOnceWithTheNearestNamesOfAll) {
  Report report;
  report.recordings = {Rank({{"kernel", "copi", {"scale", "reduce"}}}),
                       Rank({{"kernel", "copi", {"copy", "scale"}}, {"nvtx-include", "copi", {}}})};
  const auto unmatched = UnmatchedInAll(report);
  ASSERT_THAT(unmatched, SizeIs(1));
  EXPECT_EQ(unmatched[0].option, "kernel");
  EXPECT_THAT(unmatched[0].nearest, ElementsAre("copy", "scale", "reduce"));
}

TEST(UnmatchedInAll, AProcessThatWasKilledIsNotAskedWhatItDidNotSay) {
  Report report;
  report.recordings = {Rank({{"kernel", "copy", {}}}), Rank({}, /*ended=*/false)};
  EXPECT_THAT(UnmatchedInAll(report), SizeIs(1));
}

// Each of them held against all others would take a minute.
TEST(UnmatchedInAll, OfTwentyThousandIsThereInAMoment) {
  std::vector<recording::Unmatched> many;
  for (int i = 0; i < 20000; ++i) many.push_back({"kernel", "k" + std::to_string(i), {}});
  Report report;
  report.recordings = {Rank(many), Rank(many)};
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(UnmatchedInAll(report), SizeIs(20000));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace coalcheck::findings

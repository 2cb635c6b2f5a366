// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's names of stall reasons, as a GH100 gave them.
#include "libcoalcheck/cost/stall_kind.h"

#include <gtest/gtest.h>

namespace coalcheck::cost {
namespace {

TEST(StallKind, IsReadOffTheName) {
  const auto meaning = MeaningOf("smsp__pcsamp_warps_issue_stalled_long_scoreboard");
  ASSERT_TRUE(meaning.has_value());
  EXPECT_EQ(meaning->kind, StallKind::kLongScoreboard);
  EXPECT_FALSE(meaning->exposed_only);
  EXPECT_EQ(MeaningOf("smsp__pcsamp_warps_issue_stalled_lg_throttle")->kind, StallKind::kThrottle);
  EXPECT_EQ(MeaningOf("smsp__pcsamp_warps_issue_stalled_drain")->kind, StallKind::kDrain);
  EXPECT_EQ(MeaningOf("smsp__pcsamp_warps_issue_stalled_short_scoreboard")->kind,
            StallKind::kShortScoreboard);
  EXPECT_EQ(MeaningOf("smsp__pcsamp_warps_issue_stalled_mio_throttle")->kind,
            StallKind::kSharedQueue);
}

TEST(StallKind, ATwinCountsOnlyWhatWasExposed) {
  const auto twin = MeaningOf("smsp__pcsamp_warps_issue_stalled_drain_not_issued");
  ASSERT_TRUE(twin.has_value());
  EXPECT_EQ(twin->kind, StallKind::kDrain);
  EXPECT_TRUE(twin->exposed_only);
}

TEST(StallKind, AnyOtherReasonIsOther) {
  for (const char* name : {"math_pipe_throttle", "tex_throttle", "selected", "not_selected", "wait",
                           "a_reason_of_tomorrow"}) {
    const auto meaning = MeaningOf(std::string("smsp__pcsamp_warps_issue_stalled_") + name);
    ASSERT_TRUE(meaning.has_value()) << name;
    EXPECT_EQ(meaning->kind, StallKind::kOther) << name;
  }
  EXPECT_TRUE(MeaningOf("smsp__pcsamp_warps_issue_stalled_selected_not_issued")->exposed_only);
}

TEST(StallKind, SumsAreNoReason) {
  EXPECT_FALSE(MeaningOf("smsp__pcsamp_sample_count").has_value());
  EXPECT_FALSE(MeaningOf("smsp__pcsamp_samples_data_dropped").has_value());
  EXPECT_FALSE(MeaningOf("").has_value());
}

}  // namespace
}  // namespace coalcheck::cost

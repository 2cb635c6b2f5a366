// SPDX-License-Identifier: Apache-2.0
//
// What the user's filters, the budget and the switch leave out, and that the recording says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/agent/one_context.h"
#include "tests/agent/recording_words.h"

namespace coalcheck::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class Selection : public OneContext {
 protected:
  // "option filter: nearest, …", in the order of the recording.
  static std::vector<std::string> Unmatched(const recording::RecordedRun& run) {
    std::vector<std::string> rows;
    for (const recording::Unmatched& one : run.unmatched) {
      std::string row = one.option + " " + one.filter + ":";
      for (const std::string& name : one.nearest) row += " " + name;
      rows.push_back(row);
    }
    return rows;
  }
};

class ManyRanges : public Selection {
 protected:
  // A launch in each of so many ranges of other names, and then one in `measured`.
  recording::RecordedRun Run(const std::string& options, std::size_t others) {
    Start("--sampling all " + options);
    for (std::size_t i = 0; i < others; ++i) {
      program_->ranges().Push("", "step " + std::to_string(i));
      if (i % 500 == 0) Launch("copy");
      program_->ranges().Pop("");
    }
    program_->ranges().Push("", "measured");
    Launch("in_measured");
    program_->ranges().Pop("");
    return End();
  }
};

TEST_F(ManyRanges, BeyondTheMostThatAreToldApartDoNotHideTheOneAFilterIncludes) {
  const recording::RecordedRun run = Run("--nvtx-include measured", agent::kMaxRangeNames + 100);
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].inside[0].shape.kernel, "in_measured");
  EXPECT_THAT(Unmatched(run), IsEmpty());
  EXPECT_THAT(Losses(run), ElementsAre(::testing::HasSubstr(
                               "ranges_folded: ranges beyond the most that are told apart")));
}

TEST_F(ManyRanges, NorTheOneAFilterExcludes) {
  const recording::RecordedRun run = Run("--nvtx-exclude measured", agent::kMaxRangeNames + 100);
  EXPECT_THAT(Skips(run), ElementsAre("in_measured outside_ranges 1"));
}

TEST_F(Selection, OnlyTheNamedKernelsAreCounted) {
  Start("--kernel 'copy*'");
  Launch("copy_a");
  Launch("other", 2);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("other not_selected 2"));
  EXPECT_THAT(Unmatched(run), IsEmpty());
}

TEST_F(Selection, WhatIsSelectedAndExcludedIsNotCounted) {
  Start("--kernel 'copy*' --kernel-exclude copy_a");
  Launch("copy_a");
  Launch("copy_b");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("copy_a excluded 1"));
}

TEST_F(Selection, AKernelIsSelectedByWhatWasInlinedIntoIt) {
  Start("--kernel helper");
  Launch("inlines_helper");
  Launch("inlines_other");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("inlines_other not_selected 1"));
  EXPECT_THAT(Unmatched(run), IsEmpty());
}

TEST_F(Selection, AFilterThatFitsNothingIsNamedWithTheNearestNames) {
  Start("--kernel transpse --kernel-exclude nobody --nvtx-include stpe");
  program_->ranges().Push("", "step");
  Launch("transpose");
  Launch("copy");
  program_->ranges().Pop("");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Unmatched(run),
              ElementsAre("kernel transpse: transpose copy",
                          "kernel-exclude nobody: copy transpose", "nvtx-include stpe: step"));
}

TEST_F(Selection, OnlyLaunchesInsideTheRangeAreCountedAndTheFirstOfThemIs) {
  Start("--nvtx-include step");
  Launch("copy", 3);
  program_->ranges().Push("", "step");
  Launch("copy", 2);
  program_->ranges().Pop("");
  Launch("copy");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("copy outside_ranges 4", "copy sampling 1"));
  ASSERT_THAT(run.range_sets, SizeIs(1));
  EXPECT_EQ(run.range_sets[0].open[0].name, "step");
  EXPECT_EQ(run.windows[0].inside[0].shape.ranges, run.range_sets[0].ranges);
}

class Autotuning : public Selection {
 protected:
  // Twice in the range that a framework's autotuner is put in, and once outside.
  recording::RecordedRun Run(const std::string& options) {
    Start("--sampling all " + options);
    program_->ranges().Push("", "step");
    program_->ranges().Push("coalcheck", "autotuning");
    Launch("copy", 2);
    program_->ranges().Pop("coalcheck");
    Launch("copy");
    program_->ranges().Pop("");
    return End();
  }
};

TEST_F(Autotuning, IsNotCountedAndSaysSo) {
  const recording::RecordedRun run = Run("");
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("copy autotuning 2"));
}

TEST_F(Autotuning, IsNotCountedInsideARangeThatIsIncluded) {
  const recording::RecordedRun run = Run("--nvtx-include step");
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("copy autotuning 2"));
}

TEST_F(Autotuning, IsCountedWhereItIsIncludedByName) {
  const recording::RecordedRun run = Run("--nvtx-include coalcheck@autotuning");
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Skips(run), ElementsAre("copy outside_ranges 1"));
}

TEST_F(Autotuning, IsToldApartFromARangeOfThatNameInAnotherDomain) {
  Start("--sampling all");
  program_->ranges().Push("", "autotuning");
  Launch("copy");
  program_->ranges().Pop("");
  EXPECT_THAT(End().windows, SizeIs(1));
}

TEST_F(Selection, AnExcludedRangeIsLeftOutInsideAnIncludedOne) {
  Start("--sampling all --nvtx-include train --nvtx-exclude warm-up");
  program_->ranges().Push("", "train");
  program_->ranges().Push("", "warm-up");
  Launch("copy");
  program_->ranges().Pop("");
  Launch("copy");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("copy outside_ranges 1"));
}

TEST_F(Selection, WithoutAFilterRangesAreRecordedAndChangeNothing) {
  Start("");
  Launch("copy");
  const agent::RangeKey key = program_->ranges().Start("lib", "solve");
  Launch("copy");
  program_->ranges().End(key);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.tallies, SizeIs(2));
  EXPECT_THAT(Skips(run), ElementsAre("copy sampling 1"));
}

TEST_F(Selection, AGraphsKernelBelongsToTheRangesOfItsCapture) {
  Start("");
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  program_->ranges().Push("", "forward");
  Launch("a");
  program_->ranges().Pop("");
  Launch("b");
  const auto graph = program_->EndCapture(context_, stream_);
  program_->ranges().Push("", "later");
  const auto exec = program_->Instantiate(context_, graph);
  program_->LaunchGraph(context_, stream_, *exec);
  program_->ranges().Pop("");
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.range_sets, SizeIs(1));
  EXPECT_EQ(run.range_sets[0].open[0].name, "forward");
  ASSERT_THAT(run.windows, SizeIs(1));
  for (const recording::LaunchesInside& inside : run.windows[0].inside) {
    EXPECT_EQ(inside.shape.ranges, RangeSetId(inside.shape.kernel == "a" ? 1 : 0));
  }
}

TEST_F(Selection, OfAGraphOnlySelectedKernelsAreCounted) {
  Start("--kernel copy");
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  Launch("copy");
  Launch("other");
  const auto exec = program_->Instantiate(context_, program_->EndCapture(context_, stream_));
  program_->LaunchGraph(context_, stream_, *exec);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  ASSERT_THAT(run.windows[0].inside, SizeIs(1));
  EXPECT_EQ(run.windows[0].inside[0].shape.kernel, "copy");
  ASSERT_THAT(run.windows[0].functions, SizeIs(1));
  EXPECT_EQ(run.windows[0].functions[0].function, "copy");
  EXPECT_THAT(Skips(run), ElementsAre("other not_selected 1"));
}

TEST_F(Selection, OfAGraphOnlyKernelsOfTheRangeAreCounted) {
  Start("--nvtx-include forward");
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  program_->ranges().Push("", "forward");
  Launch("a");
  program_->ranges().Pop("");
  Launch("b");
  const auto exec = program_->Instantiate(context_, program_->EndCapture(context_, stream_));
  program_->LaunchGraph(context_, stream_, *exec);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  ASSERT_THAT(run.windows[0].functions, SizeIs(1));
  EXPECT_EQ(run.windows[0].functions[0].function, "a");
  EXPECT_THAT(Skips(run), ElementsAre("b outside_ranges 1"));
}

TEST_F(Selection, AKernelIsExcludedByWhatWasInlinedIntoIt) {
  Start("--kernel-exclude helper");
  Launch("inlines_helper");
  Launch("inlines_other");
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("inlines_helper excluded 1"));
  EXPECT_THAT(Unmatched(run), IsEmpty());
}

TEST_F(Selection, MistakesOfTheProgramWithItsRangesAreCountedLosses) {
  Start("");
  program_->ranges().Pop("");
  program_->ranges().End(agent::RangeKey(99));
  program_->ranges().Push("", "never closed");
  Launch("copy");
  EXPECT_THAT(
      Losses(End()),
      ElementsAre("unbalanced_pop: NVTX pops without a push, or with one before CUDA started",
                  "unknown_range_end: NVTX range ends without a start",
                  "open_range: NVTX ranges that were never closed"));
}

TEST_F(Selection, LaunchesAreSkippedAndCountedBehindTheOtherFilters) {
  Start("--sampling all --kernel copy --launch-skip 2 --launch-count 3");
  Launch("other", 5);
  Launch("copy", 7);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(3));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("other not_selected 5", "copy launch_range 4"));
}

TEST_F(Selection, OrForEachKernel) {
  Start("--sampling all --launch-skip kernel:1 --launch-count kernel:1");
  Launch("a", 3);
  Launch("b", 3);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a launch_range 2", "b launch_range 2"));
}

TEST_F(Selection, NothingIsCheckedBeforeItIsSwitchedOnNorAfterwards) {
  Start("--sampling all --profile-from-start off");
  Launch("copy");
  program_->agent().SwitchOn();
  Launch("copy", 2);
  program_->agent().SwitchOff();
  Launch("copy", 3);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Skips(run), ElementsAre("copy switched_off 4"));
}

TEST_F(Selection, TheFirstLaunchOfEachKernelIsCountedWhateverTheBudget) {
  Start("--sampling auto --budget 0.001%");
  for (const char* kernel : {"a", "b", "c"}) {
    program_->Launch(context_, stream_, {{kernel, 1ms}});  // holds the program for 1 ms
  }
  Launch("a", 1, 2);  // another shape
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(3));
  EXPECT_EQ(run.header.sampling, "auto");
}

TEST_F(Selection, OtherShapesWaitUntilTheBudgetAffordsThem) {
  Start("--sampling auto --budget 1%");
  program_->Launch(context_, stream_, {{"a", 10ms}});  // holds the program for 10 ms
  Launch("a", 1, 2);
  clock_.Advance(500ms);
  Launch("a", 1, 3);
  clock_.Advance(1600ms);  // 1 % of 2.1 s affords this one and the one before
  Launch("a", 1, 4);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(2));
  EXPECT_THAT(Skips(run), UnorderedElementsAre("a budget 1", "a budget 1"));
  ASSERT_TRUE(run.cost.has_value());
  EXPECT_EQ(run.cost->windows, 2U);
  EXPECT_GE(run.cost->seconds, 0.010);
  EXPECT_EQ(run.cost->budget_percent, 1);
}

TEST_F(Selection, AKernelCountedInsideAGraphIsNoNewKernelAfterwards) {
  Start("--sampling auto --budget 0.001%");
  ASSERT_TRUE(program_->BeginCapture(context_, stream_));
  program_->Launch(context_, stream_, {{"a", 1ms}});
  const auto exec = program_->Instantiate(context_, program_->EndCapture(context_, stream_));
  program_->LaunchGraph(context_, stream_, *exec);
  Launch("a", 1, 2);
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("a budget 1"));
}

}  // namespace
}  // namespace coalcheck::testing

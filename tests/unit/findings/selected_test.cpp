// SPDX-License-Identifier: Apache-2.0
//
// Which part of a recording is left when some kernels or ranges are asked for.
#include "libcoalcheck/findings/sums/selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Windows and tallies of kernels, named as they are mangled, in ranges: set 1 is "step", 0 none, 7
// unexplained.
class SelectedPart : public ::testing::Test {
 protected:
  SelectedPart() {
    run_.range_sets = {{RangeSetId(1), {{"", "step", RangeKind::kPushPop}}}};
    run_.windows.clear();
    run_.tallies.clear();
  }
  void Counted(const std::vector<std::pair<std::string, std::uint32_t>>& launches) {
    recording::Window window = MakeWindow(run_.windows.size() + 1, "k", {MakeRow(16, 1, 32, 4)});
    window.inside.clear();
    for (const auto& [kernel, set] : launches) {
      const recording::LaunchShape shape{kernel, {}, {}, RangeSetId(set)};
      window.inside.push_back({shape, Launches(1)});
      run_.tallies.push_back({shape, Launches(1), Launches(1), {}});
    }
    run_.windows.push_back(window);
  }
  // Numbers of the windows that are left.
  std::vector<std::uint64_t> Left(const std::vector<std::string>& kernels,
                                  const std::vector<std::string>& ranges) {
    const Result<Selected> selected = ParseSelected(kernels, ranges);
    EXPECT_TRUE(selected.ok());
    KeepSelected(selected.value(), run_);
    std::vector<std::uint64_t> numbers;
    for (const recording::Window& window : run_.windows) numbers.push_back(window.window.value());
    return numbers;
  }

  recording::RecordedRun run_ = MakeRun();
};

TEST_F(SelectedPart, OfNoWordsIsEverything) {
  Counted({{"a", 0}});
  Counted({{"a", 1}, {"b", 7}});
  EXPECT_THAT(Left({}, {}), ElementsAre(1, 2));
  EXPECT_THAT(run_.losses, IsEmpty());
}

TEST_F(SelectedPart, OfAKernelHoldsItsWindowsAndTallies) {
  Counted({{"_Z5firstPf", 0}});
  Counted({{"_Z6secondPf", 0}});
  EXPECT_THAT(Left({"second"}, {}), ElementsAre(2));
  ASSERT_THAT(run_.tallies, SizeIs(1));
  EXPECT_EQ(run_.tallies[0].shape.kernel, "_Z6secondPf");
}

TEST_F(SelectedPart, OfARangeHoldsWhatIsKnownToBeInIt) {
  Counted({{"a", 0}});
  Counted({{"a", 1}});
  Counted({{"a", 7}});
  EXPECT_THAT(Left({}, {"step"}), ElementsAre(2));
  EXPECT_THAT(run_.tallies, SizeIs(1));
}

TEST_F(SelectedPart, OfAKernelAndARangeHoldsWhatIsBoth) {
  Counted({{"a", 1}});
  Counted({{"b", 1}});
  Counted({{"b", 0}});
  EXPECT_THAT(Left({"b"}, {"st*", "other"}), ElementsAre(2));
}

TEST_F(SelectedPart, LosesWindowsThatHoldOtherLaunchesTooAndSaysSo) {
  Counted({{"a", 1}, {"a", 0}});
  Counted({{"a", 1}});
  EXPECT_THAT(Left({}, {"step"}), ElementsAre(2));
  ASSERT_THAT(run_.losses, SizeIs(1));
  EXPECT_EQ(run_.losses[0].what, "window_lost");
  EXPECT_EQ(run_.losses[0].count, 1U);
}

TEST_F(SelectedPart, OfARunThatGoesOnStillSaysHowManyWindowsAreMissing) {
  Counted({{"a", 0}});
  Counted({{"b", 0}});
  run_.progress = recording::Progress{.launches = 9, .windows = 3};
  EXPECT_THAT(Left({"a"}, {}), ElementsAre(1));
  EXPECT_EQ(run_.progress->windows, 2U);
}

TEST(SelectedWords, AreRefusedUnderTheirOptionsName) {
  EXPECT_THAT(ParseSelected({""}, {}).error(), HasSubstr("--kernel: "));
  EXPECT_THAT(ParseSelected({}, {"a[["}).error(), HasSubstr("--nvtx-include: "));
}

}  // namespace
}  // namespace coalcheck::findings

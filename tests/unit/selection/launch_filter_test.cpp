// SPDX-License-Identifier: Apache-2.0
//
// Launches are skipped and counted together or kernel by kernel.
#include "libcoalcheck/selection/launch_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace coalcheck::selection {
namespace {

using ::testing::HasSubstr;

LaunchFilter Filter(std::string_view skip, std::string_view count = "") {
  LaunchFilter filter;
  if (!skip.empty()) filter.skip = ParseLaunchSkip(skip).value();
  if (!count.empty()) filter.count = ParseLaunchCount(count).value();
  return filter;
}

// The launches that are let through, each kernel a letter; a point for each of the others.
std::string Admitted(const LaunchFilter& filter, const std::string& launches) {
  LaunchTurns process;
  std::map<char, LaunchTurns> kernels;
  std::string admitted;
  for (const char kernel : launches) {
    admitted += filter.Admits(process, kernels[kernel]) ? kernel : '.';
  }
  return admitted;
}

TEST(LaunchFilter, WithoutNumbersEveryLaunchPasses) {
  EXPECT_EQ(Admitted(LaunchFilter{}, "aab"), "aab");
}

TEST(LaunchFilter, ANumberCountsTheLaunchesOfAllKernelsTogether) {
  EXPECT_EQ(Admitted(Filter("3"), "aabbab"), "...bab");
  EXPECT_EQ(Admitted(Filter("", "3"), "aabbab"), "aab...");
  EXPECT_EQ(Admitted(Filter("2", "3"), "aabbab"), "..bba.");
}

TEST(LaunchFilter, WithKernelEachKernelIsCountedForItself) {
  EXPECT_EQ(Admitted(Filter("kernel:1"), "aabbab"), ".a.bab");
  EXPECT_EQ(Admitted(Filter("", "kernel:1"), "aabbab"), "a.b...");
  EXPECT_EQ(Admitted(Filter("kernel:1", "kernel:1"), "aabbab"), ".a.b..");
}

TEST(LaunchFilter, TheScopesMayDifferAndOnlyUnskippedLaunchesAreCounted) {
  EXPECT_EQ(Admitted(Filter("3", "kernel:1"), "aabbab"), "...ba.");
  EXPECT_EQ(Admitted(Filter("kernel:1", "3"), "aabbab"), ".a.ba.");
}

TEST(LaunchFilter, TextsAreReadOrRefusedWithWhatIsAccepted) {
  EXPECT_EQ(ParseLaunchSkip("10").value(), (LaunchNumber{Launches(10), LaunchScope::kProcess}));
  EXPECT_EQ(ParseLaunchCount("kernel:5").value(),
            (LaunchNumber{Launches(5), LaunchScope::kKernel}));
  EXPECT_TRUE(ParseLaunchSkip("0").ok());
  for (const char* text : {"", "-1", "1x", "kernel:", "kernel", "Kernel:1", "kernel: 1", " 1",
                           "99999999999999999999"}) {
    EXPECT_THAT(ParseLaunchSkip(text).error(), HasSubstr("kernel:N")) << text;
    EXPECT_THAT(ParseLaunchCount(text).error(), HasSubstr("from 1, or kernel:N")) << text;
  }
  EXPECT_THAT(ParseLaunchCount("0").error(), HasSubstr("from 1"));
  EXPECT_THAT(ParseLaunchCount("kernel:0").error(), HasSubstr("from 1"));
}

}  // namespace
}  // namespace coalcheck::selection

// SPDX-License-Identifier: Apache-2.0
//
// Every way to launch a kernel, live: the program's result is right, and each counted launch was
// counted exactly once.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "libcoalcheck/recording/reader.h"
#include "tests/support/gpu.h"
#include "tests/support/run_program.h"

namespace coalcheck {
namespace {

using recording::RecordedRun;

// One launch of the host's copy kernels: 1024 loads and 1024 stores of 4 sectors each.
const std::vector<std::uint64_t> kOneLaunch = {2048, 65536, 0, 0, 8192, 8192, 2048};

class LaunchKinds : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(COALCHECK_LAUNCH_KINDS)) {
      if (support::GpuIsRequired()) FAIL() << COALCHECK_LAUNCH_KINDS << " is not built";
      GTEST_SKIP() << "no GPU here when the tests were configured, so its programs are not built";
    }
    const support::ProgramResult probe = support::RunProgram({COALCHECK_LAUNCH_KINDS, "probe"});
    if (probe.exit_code == support::kNoGpu) {
      if (support::GpuIsRequired()) FAIL() << probe.err;
      GTEST_SKIP() << probe.err;
    }
    ASSERT_EQ(probe.exit_code, 0) << probe.err;
    char name[] = "/tmp/coalcheck-launch-kinds-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Runs the host under the agent and reads what was recorded.
  RecordedRun Run(const std::string& kind, const std::string& options = "",
                  const std::string& host = COALCHECK_LAUNCH_KINDS) {
    const std::string recording = folder_ + "/recording";
    const support::ProgramResult result = support::RunProgram(
        {host, kind}, {{"CUDA_INJECTION64_PATH", COALCHECK_AGENT},
                       {"COALCHECK_OPTIONS",
                        "--no-report --sampling first --recording " + recording + " " + options}});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, kind + ": right\n");
    EXPECT_EQ(result.err, "");
    std::ifstream file(recording + "/records.jsonl", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    absl::StatusOr<RecordedRun> run = recording::ParseRecords(bytes);
    EXPECT_TRUE(run.ok()) << run.status();
    return run.ok() ? *std::move(run) : RecordedRun();
  }

  std::string folder_;
};

// The sums over a window's rows, by function.
std::map<std::string, std::vector<std::uint64_t>> Sums(const recording::Window& window) {
  std::map<std::string, std::vector<std::uint64_t>> sums;
  for (const recording::FunctionCounts& function : window.functions) {
    std::vector<std::uint64_t>& sum = sums[function.function];
    for (const recording::CountRow& row : function.rows) {
      sum.resize(row.values.size());
      std::transform(row.values.begin(), row.values.end(), sum.begin(), sum.begin(), std::plus<>());
    }
  }
  return sums;
}

// Every launch is in a window or was left out for a named reason.
void ExpectTalliesAddUp(const RecordedRun& run) {
  for (const recording::Tally& tally : run.tallies) {
    Launches sum = tally.counted;
    for (const recording::Skipped& skipped : tally.skipped) sum += skipped.launches;
    EXPECT_EQ(sum, tally.launches) << tally.shape.kernel;
  }
}

// Each copy kernel inside a window has the counts of exactly one launch.
void ExpectOneLaunchEach(const RecordedRun& run) {
  for (const recording::Window& window : run.windows) {
    const auto sums = Sums(window);
    EXPECT_EQ(sums.size(), window.inside.size());
    for (const auto& [function, sum] : sums) {
      if (function.starts_with("copy_")) {
        EXPECT_EQ(sum, kOneLaunch) << function;
      }
    }
  }
  ExpectTalliesAddUp(run);
}

TEST_F(LaunchKinds, FirstLaunchOfTenIsCounted) {
  const RecordedRun run = Run("plain");
  ASSERT_EQ(run.windows.size(), 1U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, EveryLaunchIsCountedWhenAllAreAskedFor) {
  const RecordedRun run = Run("plain", "--sampling all");
  ASSERT_EQ(run.windows.size(), 10U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, TheMinimalMetricsAreTheSectorPair) {
  const RecordedRun run = Run("plain", "--metrics minimal");
  ASSERT_EQ(run.windows.size(), 1U);
  EXPECT_EQ(Sums(run.windows[0])["copy_floats"], (std::vector<std::uint64_t>{8192, 8192}));
}

TEST_F(LaunchKinds, TheDefaultStreamIsCounted) { ExpectOneLaunchEach(Run("default_stream")); }

TEST_F(LaunchKinds, ThePerThreadDefaultStreamIsCounted) {
  const RecordedRun run = Run("default_stream", "--sampling all", COALCHECK_LAUNCH_KINDS_PTDS);
  EXPECT_EQ(run.windows.size(), 10U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, AnExtendedLaunchIsCounted) {
  const RecordedRun run = Run("extended", "--sampling every:4");
  EXPECT_EQ(run.windows.size(), 3U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, ACooperativeLaunchIsCounted) {
  const RecordedRun run = Run("cooperative", "--sampling all");
  ASSERT_EQ(run.windows.size(), 8U);  // its barrier looks like waiting: two launches are watched
  for (const recording::Window& window : run.windows) {
    const std::vector<std::uint64_t> sum = Sums(window)["copy_together"];
    ASSERT_FALSE(sum.empty());
    EXPECT_GE(sum[0], kOneLaunch[0]);  // and the grid barrier's own accesses
  }
  ExpectTalliesAddUp(run);
}

TEST_F(LaunchKinds, EveryNodeOfACapturedGraphIsCountedOnce) {
  const RecordedRun run = Run("graph");
  ASSERT_EQ(run.windows.size(), 1U);
  EXPECT_EQ(run.windows[0].kind, recording::WindowKind::kGraph);
  EXPECT_EQ(run.windows[0].inside.size(), 2U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, AGraphOfKernelsThatWereCountedBeforeGetsNoWindow) {
  const RecordedRun run = Run("graph_after_warm_up");
  EXPECT_EQ(run.windows.size(), 2U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, EightThreadsRacingForTheFirstLaunchOpenOneWindowAShape) {
  const RecordedRun run = Run("threads");
  EXPECT_EQ(run.windows.size(), 2U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, EveryLaunchOfEightThreadsIsCountedExactlyOnce) {
  const RecordedRun run = Run("threads", "--sampling all --open-deadline 10000");
  EXPECT_EQ(run.windows.size(), 3200U);
  ExpectOneLaunchEach(run);
}

TEST_F(LaunchKinds, AKernelThatWaitsForTheHostIsClosedLateAndTheNextOneIsCounted) {
  const RecordedRun run = Run("host_flag", "--close-deadline 200 --waiting-kernels window");
  ASSERT_EQ(run.windows.size(), 2U);
  EXPECT_EQ(run.windows[0].close, recording::WindowClose::kLate);
  EXPECT_EQ(Sums(run.windows[1])["copy_floats"], kOneLaunch);
  ExpectTalliesAddUp(run);
}

TEST_F(LaunchKinds, AKernelThatWaitsForTheHostIsNeverHeldOnceItWasWatched) {
  const RecordedRun run = Run("host_flag");
  ASSERT_EQ(run.windows.size(), 1U);
  EXPECT_EQ(Sums(run.windows[0])["copy_floats"], kOneLaunch);
  ExpectTalliesAddUp(run);
}

TEST_F(LaunchKinds, LaunchesBesideAPersistentKernelGoOnUncounted) {
  const RecordedRun run = Run("never_idle", "--open-deadline 20");
  for (const recording::Tally& tally : run.tallies) {
    if (tally.launches == Launches(100)) {
      EXPECT_EQ(tally.counted, Launches(0));
    }
  }
  ExpectTalliesAddUp(run);
}

TEST_F(LaunchKinds, AFailedLaunchIsTheProgramsOwnBusiness) {
  const RecordedRun run = Run("bad_launch");
  EXPECT_EQ(run.windows.size(), 1U);
  ExpectOneLaunchEach(run);
}

}  // namespace
}  // namespace coalcheck

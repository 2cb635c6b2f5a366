// SPDX-License-Identifier: Apache-2.0
//
// The real library inside a small CUDA program: what it records, what it says, what it leaves
// alone. The program finds no command, and makes no report.
#include "tests/agent/library/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "libcoalcheck/recording/reader.h"
#include "tests/agent/recording_words.h"
#include "tests/support/files.h"

namespace coalcheck::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST_F(Host, NothingIsDoneInAProgramWithRaisedRights) {
  KeepRecording();
  environment_["NVTX_INJECTION64_PATH"] = COALCHECK_LIBRARY;
  EXPECT_EQ(Run({"raised-rights", "early-range", "context", "launch", "push", "pop"}).err, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

std::string HexOf(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    digits += kDigits[static_cast<unsigned char>(byte) >> 4U];
    digits += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return digits;
}

TEST_F(Host, WhatALaunchWasCalledWithIsRecordedWhicheverWayItWasPassed) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --sampling first";
  Run({"context", "launch", "launch-block", "graph"});
  const recording::RecordedRun run = Recorded();
  ASSERT_THAT(run.windows, SizeIs(3));
  const auto arguments = [&](std::size_t window) {
    EXPECT_THAT(run.windows[window].inside.at(0).arguments, SizeIs(1));
    return run.windows[window].inside[0].arguments.at(0);
  };
  EXPECT_EQ(HexOf(arguments(0).bytes),
            "0000000000000000"
            "00563412007f0000");
  EXPECT_EQ(HexOf(arguments(1).bytes), "00563412007f0000");
  EXPECT_EQ(arguments(1).shared_memory, Bytes(512));
  EXPECT_EQ(arguments(2).bytes, arguments(0).bytes);
  EXPECT_EQ(arguments(2).launches, Launches(2));
}

// The block of the launch that passes one is shorter than what the driver says of the parameters.
TEST_F(Host, WhatLaunchesThatAreNotCountedWereCalledWithIsRecordedWhereItCanBeRead) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --sampling first";
  Run({"context", "launch", "launch", "launch", "launch-block", "launch-block", "graph"});
  const recording::RecordedRun run = Recorded();
  ASSERT_THAT(run.uncounted, SizeIs(1));
  const recording::Uncounted& uncounted = run.uncounted[0];
  EXPECT_EQ(uncounted.others, Launches(1));
  ASSERT_THAT(uncounted.sets, SizeIs(2));
  for (const recording::UncountedSet& set : uncounted.sets) {
    EXPECT_EQ(HexOf(set.arguments.bytes),
              "0000000000000000"
              "00563412007f0000");
    EXPECT_EQ(set.arguments.launches, Launches(2));
  }
  EXPECT_EQ(uncounted.sets[0].grid.x, 4U);
  EXPECT_EQ(uncounted.sets[1].grid.x, 8U);  // the nodes of the graph's second launch
}

// An upload before the first launch spoils the counts.
TEST_F(Host, AGraphThatIsInstantiatedToBeUploadedIsNotCounted) {
  KeepRecording();
  Run({"context", "graph-uploaded"});
  const recording::RecordedRun run = Recorded();
  EXPECT_THAT(run.windows, IsEmpty());
  EXPECT_THAT(Skips(run), ElementsAre("spread graph_replay 4"));
}

// The first graph shows it, and is not counted.
TEST_F(Host, WhereTheDriverLaunchesTheApplicationsOwnInstanceAllTheSameThatIsCounted) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --sampling first";
  environment_["STAND_IN_STUBBORN"] = "1";
  Run({"context", "graph", "launch", "graph"});
  const recording::RecordedRun run = Recorded();
  ASSERT_THAT(run.windows, SizeIs(2));
  EXPECT_EQ(run.windows[0].kind, recording::WindowKind::kLaunch);
  EXPECT_EQ(run.windows[1].kind, recording::WindowKind::kGraph);
  EXPECT_EQ(run.windows[1].functions[0].rows[0].values[0], 128U);  // two nodes, one launch
}

// 32 thousand million warps, one store each: 128 s by its code. The limit is far above what is
// expected of a launch that takes no time, however busy the machine is.
TEST_F(Host, AKernelOfWhichTheCodeMakesALongWindowLikelyIsTimedBeforeItIsCounted) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --window-limit 120000";
  Run({"context", "launch-wide", "launch-wide"});
  const recording::RecordedRun run = Recorded();
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Skips(run), ElementsAre("spread timed 1"));
}

TEST_F(Host, AChipThatRefusesTheOldProfilerIsCountedAllTheSame) {
  KeepRecording();
  for (const char* refusal : {"27", "38"}) {
    environment_["STAND_IN_PROFILER_INITIALIZE"] = refusal;
    Run({"context", "launch"});
    EXPECT_THAT(Recorded().windows, SizeIs(1));
    std::filesystem::remove_all(folder_ + "/kept");
  }
  environment_["STAND_IN_PROFILER_INITIALIZE"] = "999";
  Run({"context", "launch"});
  EXPECT_THAT(Recorded().windows, IsEmpty());
}

TEST_F(Host, TheRecordingIsCompleteAndItsCubinIsBesideIt) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --sampling first";
  EXPECT_EQ(Run({"context", "launch", "launch", "graph"}).err, "");
  const recording::RecordedRun run = Recorded();
  EXPECT_TRUE(run.end.has_value());
  EXPECT_THAT(run.lost_lines, IsEmpty());
  EXPECT_THAT(run.losses, IsEmpty());
  ASSERT_THAT(run.modules, SizeIs(1));
  EXPECT_EQ(support::FileText(folder_ + "/kept/cubins/" + ToHex(run.modules[0].cubin) + ".cubin"),
            support::FileText(COALCHECK_MODULE));
  ASSERT_THAT(run.windows, SizeIs(2));
  ASSERT_THAT(run.windows[0].functions, SizeIs(1));
  EXPECT_EQ(run.windows[0].functions[0].cubin, run.modules[0].cubin);
  EXPECT_THAT(run.windows[0].functions[0].rows[0].values, ElementsAre(64, 32, 16, 8, 4, 2, 1));
  EXPECT_EQ(run.windows[1].kind, recording::WindowKind::kGraph);
  EXPECT_EQ(run.windows[1].functions[0].rows[0].values[0], 128U);  // two nodes, one launch
  ASSERT_THAT(run.tallies, SizeIs(2));
  EXPECT_EQ(run.tallies[0].launches, Launches(2));
  EXPECT_EQ(run.tallies[0].counted, Launches(1));
  EXPECT_EQ(run.tallies[1].launches, Launches(4));
  EXPECT_EQ(run.tallies[1].counted, Launches(2));
}

TEST_F(Host, SamplesReachTheRecordingWithTheirReasonsByName) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --cost auto";
  Run({"context", "launch", "launch"});
  const recording::RecordedRun run = Recorded();
  ASSERT_THAT(run.pc_samplings, SizeIs(1));
  EXPECT_THAT(run.pc_samplings[0].reasons,
              ElementsAre("stalled_long_scoreboard_not_issued", "smsp__pcsamp_sample_count",
                          "stalled_long_scoreboard"));
  Samples all;
  Samples exposed;
  Samples unplaced;
  for (const recording::PcSamples& batch : run.pc_samples) {
    unplaced += batch.unplaced;
    for (const recording::FunctionSamples& function : batch.functions) {
      EXPECT_EQ(function.function, "spread");
      EXPECT_EQ(function.cubin, run.modules.at(0).cubin);
      for (const recording::SampleRow& row : function.rows) {
        EXPECT_EQ(std::to_string(row.pc.value()), PcOfTheStore());
        (row.reason == StallReason(2) ? all : exposed) += row.samples;
      }
    }
  }
  EXPECT_EQ(all, Samples(15));
  EXPECT_EQ(exposed, Samples(13));
  EXPECT_EQ(unplaced, Samples(3));
}

TEST_F(Host, WhereItMayNotSampleItCountsAllTheSameAndSaysSoWhenAskedTo) {
  KeepRecording();
  environment_["STAND_IN_PC_SAMPLING"] = "35";
  environment_["COALCHECK_OPTIONS"] += " --cost auto";
  EXPECT_EQ(Run({"context", "launch"}).err, "");
  const recording::RecordedRun run = Recorded();
  EXPECT_THAT(run.windows, SizeIs(1));
  ASSERT_THAT(run.losses, SizeIs(1));
  EXPECT_EQ(run.losses[0].what, "no_pc_sampling");
  EXPECT_THAT(run.losses[0].detail, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  std::filesystem::remove_all(folder_ + "/kept");
  environment_["COALCHECK_OPTIONS"] += " --cost on";
  EXPECT_THAT(Lines(Run({"context", "launch"}).err),
              ElementsAre(StartsWith("coalcheck: cost is not sampled: cuptiPCSamplingEnable")));
}

TEST_F(Host, ASecondInitializationDoesNothing) {
  KeepRecording();
  environment_["STAND_IN_INITIALIZATIONS"] = "2";
  EXPECT_EQ(Run({"context", "launch"}).err, "");
  EXPECT_THAT(Recorded().windows, SizeIs(1));
}

TEST_F(Host, WithoutTheCommandTheRecordingStaysAndALineSaysHowToReadIt) {
  const std::vector<std::string> lines = Lines(Run({"context", "launch"}).err);
  ASSERT_THAT(Left(), SizeIs(1));
  EXPECT_THAT(lines, ElementsAre(AllOf(StartsWith("coalcheck: no report"),
                                       HasSubstr("coalcheck report " + Left()[0]))));
}

TEST_F(Host, WithoutAReportALineSaysWhereTheTemporaryRecordingIs) {
  environment_["COALCHECK_OPTIONS"] = "--no-report";
  const std::vector<std::string> lines = Lines(Run({"context", "launch"}).err);
  ASSERT_THAT(Left(), SizeIs(1));
  EXPECT_THAT(lines, ElementsAre("coalcheck: the recording is " + Left()[0]));
}

TEST_F(Host, ARecordingFolderThatCannotBeMadeIsOneLine) {
  std::ofstream(folder_ + "/file") << "no folder";
  environment_["COALCHECK_OPTIONS"] = "--recording " + folder_ + "/file/recording";
  EXPECT_THAT(Lines(Run({"context", "launch", "launch"}).err),
              ElementsAre(StartsWith("coalcheck: no recording: ")));
}

TEST_F(Host, AFullDiskIsSaidOnceAndTheHostGoesOn) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --sampling all";
  std::vector<std::string> steps = {"small-files", "context"};
  steps.insert(steps.end(), 30, "launch");
  EXPECT_THAT(Lines(Run(steps).err),
              ElementsAre(StartsWith("coalcheck: the recording is incomplete: ")));
}

TEST_F(Host, AnotherSubscriberIsNamed) {
  environment_["STAND_IN_SUBSCRIBE"] = "39";
  EXPECT_THAT(Lines(Run({"context", "launch"}).err),
              ElementsAre(AllOf(StartsWith("coalcheck: nothing will be checked: "),
                                HasSubstr("(39)"), HasSubstr("the-other-profiler"))));
}

TEST_F(Host, MissingPermissionComesWithItsRemedy) {
  KeepRecording();
  environment_["STAND_IN_SET_CONFIG"] = "35";
  EXPECT_THAT(Lines(Run({"context", "launch", "launch"}).err),
              ElementsAre(AllOf(HasSubstr("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)"),
                                HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"))));
  EXPECT_THAT(Recorded().losses, SizeIs(1));
}

TEST_F(Host, CountsThatCannotBeTakenStopMeasuringOnce) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --sampling all";
  environment_["STAND_IN_FLUSH"] = "999";
  EXPECT_THAT(Lines(Run({"context", "launch", "launch"}).err),
              ElementsAre(StartsWith("coalcheck: measuring stops: cuptiSassMetricsFlushData")));
}

TEST_F(Host, WithoutCuptiOneLineNamesThePlaces) {
  EXPECT_THAT(Lines(Run({"hide-cupti", "context", "launch"}).err),
              ElementsAre(AllOf(StartsWith("coalcheck: nothing will be checked: libcupti.so.13"),
                                HasSubstr("COALCHECK_CUPTI_PATH=" COALCHECK_STAND_INS),
                                HasSubstr("/usr/local/cuda*"), HasSubstr("Python"))));
}

TEST_F(Host, AnUnknownOptionIsAnsweredWithTheNearestOne) {
  environment_["COALCHECK_OPTIONS"] = "--samplng=all";
  EXPECT_THAT(Lines(Run({"context", "launch"}).err),
              ElementsAre(AllOf(HasSubstr("COALCHECK_OPTIONS"), HasSubstr("--sampling?"))));
}

TEST_F(Host, AProgramMaySwitchCheckingOffAndOnAndNameARegion) {
  KeepRecording();
  environment_["COALCHECK_OPTIONS"] += " --sampling all";
  EXPECT_EQ(Run({"context", "stop", "launch", "start", "push", "launch", "pop", "launch", "stop",
                 "launch"})
                .err,
            "");
  const recording::RecordedRun run = Recorded();
  EXPECT_THAT(run.windows, SizeIs(2));
  ASSERT_THAT(run.range_sets, SizeIs(1));
  EXPECT_EQ(run.range_sets[0].open[0], (OpenRange{"coalcheck", "step", RangeKind::kPushPop}));
  ASSERT_THAT(run.tallies, SizeIs(2));
  for (const recording::Tally& tally : run.tallies) {
    const bool in_region = tally.shape.ranges != RangeSetId(0);
    EXPECT_EQ(tally.launches, Launches(in_region ? 1 : 3));
    EXPECT_EQ(tally.counted, Launches(1));
  }
}

TEST_F(Host, WhatWasFlushedBeforeAKillIsInTheRecording) {
  KeepRecording();
  RunProcess(
      {COALCHECK_CUDA_HOST, COALCHECK_MODULE, "0", "context", "launch", "launch", "flush", "kill"},
      environment_);
  const recording::RecordedRun run = Recorded();
  EXPECT_FALSE(run.end.has_value());
  ASSERT_THAT(run.tallies, SizeIs(1));
  EXPECT_EQ(run.tallies[0].launches, Launches(2));
}

TEST_F(Host, WithoutCoalcheckTheCallsDoNothing) {
  const ProcessResult result = RunProcess(
      {COALCHECK_CUDA_HOST, COALCHECK_MODULE, "37", "start", "push", "pop", "stop", "flush"},
      {{"LD_LIBRARY_PATH", COALCHECK_STAND_INS}});
  EXPECT_EQ(result.exit_code, 37);
  EXPECT_EQ(result.err, "");
}

TEST_F(Host, AForkedChildAddsNothingToTheRecording) {
  KeepRecording();
  // In the child LeakSanitizer looks for its parent's threads, and says so.
  environment_["ASAN_OPTIONS"] = "detect_leaks=0";
  EXPECT_EQ(Run({"context", "launch", "fork", "launch"}).err, "");
  EXPECT_THAT(Recorded().windows, SizeIs(1));
  EXPECT_THAT(Recorded().tallies, SizeIs(1));
  EXPECT_EQ(Recorded().tallies.at(0).launches, Launches(2));
  const std::string records = support::FileText(folder_ + "/kept/records.jsonl");
  const std::string end = "\"record\":\"end\"";
  EXPECT_EQ(records.find(end), records.rfind(end));
  EXPECT_THAT(records, HasSubstr(end));
}

}  // namespace
}  // namespace coalcheck::testing

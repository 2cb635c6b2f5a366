// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck merge` on recorded samples that are given ranks: what the report of a job says, and
// what becomes of recordings with something wrong.
#include "cli/commands/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "cli/base/recordings.h"
#include "cli/commands/commands.h"
#include "cli/commands/diff.h"
#include "cli/report/report.h"
#include "libcoalcheck/recording/append.h"
#include "libcoalcheck/recording/writer.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;
using recording::RecordedRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kWasteful = COALCHECK_SOURCE_DIR "/tests/recordings/transpose_naive";
constexpr const char* kTiled = COALCHECK_SOURCE_DIR "/tests/recordings/transpose_tiled";

class MergeTest : public ::testing::Test {
 protected:
  using Change = std::function<void(RecordedRun&)>;

  std::string Path(const std::string& name) const { return (scratch_.path() / name).string(); }

  // A recorded sample as that rank of four, `change`d.
  std::string Rank(std::uint32_t rank, const char* sample = kTiled, const Change& change = {}) {
    const std::string folder = Path("ranks/" + std::to_string(++made_));
    auto run = ReadRecording(sample);
    EXPECT_TRUE(run.ok()) << run.status();
    run->header.job = {rank, rank, 4, "slurm 1.0"};
    run->header.host = "node0";
    run->header.pid = 100 + rank;
    if (change) change(*run);
    auto writer = recording::Writer::Create(folder);
    EXPECT_TRUE(writer.ok()) << writer.error();
    recording::Writer& to = *writer.value();
    to.Append(run->header);
    for (const auto& one : run->devices) to.Append(one);
    for (const auto& one : run->modules) {
      to.Append(one);
      to.StoreCubin(one.cubin, FolderCubins(sample).Load(one.cubin).value_or(""));
    }
    for (const auto& one : run->windows) to.Append(one);
    for (const auto& one : run->tallies) to.Append(one);
    if (run->end) to.Append(*run->end);
    if (run->process_end) to.Append(*run->process_end);
    return folder;
  }
  void Ranks(std::uint32_t count, const char* sample = kTiled) {
    for (std::uint32_t rank = 0; rank < count; ++rank) Rank(rank, sample);
  }

  int MergeAll(const std::string& to = "merged") {
    err_.str("");
    return Merge({Path(to), {Path("ranks")}}, err_);
  }
  int ReportOn(const std::string& recording, const std::string& min_ranks = "100%") {
    out_.str("");
    ReportOptions options;
    options.recordings = {recording};
    options.min_ranks = min_ranks;
    options.path_maps = {"/tmp/coalcheck=" COALCHECK_SOURCE_DIR};
    options.same_sources = true;
    options.config = kNoProjectFile;
    return Report(options, out_, err_);
  }

  support::ScratchFolder scratch_;
  std::ostringstream out_, err_;
  int made_ = 0;
};

std::string ReadAll(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST_F(MergeTest, TheReportOfAMergedRecordingIsThatOfItsRecordings) {
  Ranks(4, kWasteful);
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(ReportOn(Path("ranks")), kFindings);
  const std::string of_ranks = out_.str();
  EXPECT_EQ(ReportOn(Path("merged")), kFindings);
  EXPECT_EQ(out_.str(), of_ranks);
  EXPECT_THAT(of_ranks,
              AllOf(HasSubstr("summed over 4 recordings"), HasSubstr("4 of 4 ranks recorded\n"),
                    HasSubstr("neighbouring threads are height")));
}

TEST_F(MergeTest, ATreeOfMergesHasTheSameBytes) {
  Ranks(4, kWasteful);
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(Merge({Path("a"), {Path("ranks/4"), Path("ranks/1")}}, err_), 0);
  EXPECT_EQ(Merge({Path("b"), {Path("ranks/3"), Path("a"), Path("ranks/2")}}, err_), 0);
  EXPECT_EQ(ReadAll(Path("b/records.jsonl")), ReadAll(Path("merged/records.jsonl")));
}

TEST_F(MergeTest, MissingRanksAreNamedAndAreNotClean) {
  Rank(0);
  Rank(2);
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(ReportOn(Path("merged")), kCouldNotCollect);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("2 of 4 ranks recorded; ranks 1 and 3 are missing"),
                                HasSubstr("at least 4 are required (min-ranks)")));
  EXPECT_EQ(ReportOn(Path("merged"), "50%"), 0);
  EXPECT_EQ(ReportOn(Path("merged"), "3"), kCouldNotCollect);
  EXPECT_EQ(ReportOn(Path("merged"), "2"), 0);
}

TEST_F(MergeTest, AFindingWinsOverMissingRanks) {
  Rank(0, kWasteful);
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(ReportOn(Path("merged")), kFindings);
  EXPECT_THAT(out_.str(), HasSubstr("1 of 4 ranks recorded; ranks 1-3 are missing"));
}

TEST_F(MergeTest, ARankThatReportsOnItselfIsNotAskedForTheOthers) {
  Rank(2);
  setenv("RANK", "2", 1);
  setenv("WORLD_SIZE", "4", 1);
  setenv("SLURM_JOB_ID", "1", 1);
  setenv("SLURM_STEP_ID", "0", 1);
  EXPECT_EQ(ReportOn(Path("ranks")), 0);
  setenv("RANK", "1", 1);
  EXPECT_EQ(ReportOn(Path("ranks")), kCouldNotCollect);
  for (const char* name : {"RANK", "WORLD_SIZE", "SLURM_JOB_ID", "SLURM_STEP_ID"}) unsetenv(name);
}

TEST_F(MergeTest, ARankWithOtherCountsIsNamed) {
  Ranks(3, kWasteful);
  Rank(3, kWasteful, [](RecordedRun& run) {
    for (auto& row : run.windows[0].functions[0].rows) row.values[4] *= 2;
  });
  ASSERT_EQ(MergeAll(), 0);
  ReportOn(Path("merged"));
  EXPECT_THAT(out_.str(), HasSubstr("rank 3 not like the other 3: sectors a request from 32 (rank "
                                    "0) to 64 (rank 3)"));
}

TEST_F(MergeTest, AKilledRankIsNamedAndCostsNothingElse) {
  Ranks(3);
  const std::string killed = Rank(3, kTiled, [](RecordedRun& run) { run.end.reset(); });
  std::ofstream(killed + "/records.jsonl", std::ios::app) << R"({"record":"window","wind)";
  recording::AppendRecord(killed, recording::ProcessEnd{103, recording::EndKind::kSignal, 9});
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(ReportOn(Path("merged")), 0);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("1 process of rank 3: was killed by SIGKILL"),
                                HasSubstr("cut short at the end of the file"),
                                HasSubstr("counted 4 of 20 launches")));
}

TEST_F(MergeTest, ARecordingThatCannotBeLookedIntoIsNamedAndNotClean) {
  Ranks(2);
  fs::create_directories(Path("ranks/3"));
  fs::create_symlink("records.jsonl", Path("ranks/3/records.jsonl"));
  EXPECT_EQ(MergeAll(), kCouldNotCollect);
  EXPECT_THAT(err_.str(), HasSubstr("not merged: "));
}

TEST_F(MergeTest, ATornFileIsNamedAndNotClean) {
  Ranks(3);
  const std::string torn = Rank(3);
  const std::string bytes = ReadAll(torn + "/records.jsonl");
  std::ofstream(torn + "/records.jsonl") << bytes.substr(0, 40);
  EXPECT_EQ(MergeAll(), kCouldNotCollect);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("not merged: " + torn), HasSubstr("no header"),
                                HasSubstr("3 recordings are merged")));
  EXPECT_EQ(ReportOn(Path("merged")), kCouldNotCollect);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr(torn), HasSubstr("rank 3 is missing")));
}

TEST_F(MergeTest, ALineThatIsDamagedIsStillNamedAfterTwoMerges) {
  Ranks(3);
  std::ofstream(Rank(3) + "/records.jsonl", std::ios::app) << "{\"record\":\n";
  ASSERT_EQ(MergeAll(), 0);
  ASSERT_EQ(Merge({Path("again"), {Path("merged")}}, err_), 0);
  EXPECT_EQ(ReportOn(Path("again")), kCouldNotCollect);
  EXPECT_THAT(out_.str(), HasSubstr("not a JSON object (line 7), rank 3"));
}

TEST_F(MergeTest, AnotherMajorVersionIsNamedAndAnEarlierMinorOneIsMerged) {
  Rank(0, kTiled, [](RecordedRun& run) { run.header.major = 2; });
  fs::create_directory(Path("ranks/old"));
  fs::copy_file(COALCHECK_SOURCE_DIR "/tests/unit/recording/formats/1.0.jsonl",
                Path("ranks/old/records.jsonl"));
  EXPECT_EQ(MergeAll(), kCouldNotCollect);
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("format version 2."), HasSubstr("1 recording is merged")));
}

TEST_F(MergeTest, ProcessesOfOneRankAreOneRank) {
  Ranks(4);
  Rank(3, kTiled, [](RecordedRun& run) { run.header.pid = 999; });
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(ReportOn(Path("merged")), 0);
  EXPECT_THAT(out_.str(),
              AllOf(HasSubstr("summed over 5 recordings"), HasSubstr("4 of 4 ranks recorded\n")));
}

TEST_F(MergeTest, TheSameRankOnTwoHostsIsNamed) {
  Ranks(4);
  Rank(3, kTiled, [](RecordedRun& run) { run.header.host = "node7"; });
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(ReportOn(Path("merged")), 0);
  EXPECT_THAT(out_.str(), HasSubstr("rank 3 recorded on 2 hosts: node0, node7"));
}

TEST_F(MergeTest, RanksOfTwoJobsAreNamed) {
  Ranks(4);
  Rank(1, kTiled, [](RecordedRun& run) { run.header.job.id = "slurm 2.0"; });
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(ReportOn(Path("merged")), kCouldNotCollect) << "three of the second job are missing";
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("ranks of 2 jobs are in one report"),
                                HasSubstr("job slurm 1.0: 4 of 4 ranks recorded"),
                                HasSubstr("job slurm 2.0: 1 of 4 ranks recorded")));
}

TEST_F(MergeTest, AMergedRecordingThatIsCutShortIsNotClean) {
  Ranks(4);
  ASSERT_EQ(MergeAll(), 0);
  const std::string bytes = ReadAll(Path("merged/records.jsonl"));
  std::ofstream(Path("merged/records.jsonl"))
      << bytes.substr(0, bytes.rfind("{\"record\":\"rank\""));
  EXPECT_EQ(ReportOn(Path("merged")), kCouldNotCollect);
  EXPECT_THAT(out_.str(), HasSubstr("was merged only in part"));
}

TEST_F(MergeTest, NothingIsOverwrittenAndAnEmptyResultIsNotLeft) {
  Ranks(1);
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_EQ(MergeAll(), kUsage);
  EXPECT_THAT(err_.str(), HasSubstr("exists: a recording is never overwritten"));
  EXPECT_EQ(Merge({Path("none"), {Path("nowhere")}}, err_), kUsage);
  EXPECT_FALSE(fs::exists(Path("none")));
  EXPECT_FALSE(fs::exists(Path("none.part")));
}

TEST_F(MergeTest, ARecordingThatIsNamedTwiceIsTakenOnce) {
  Ranks(1);
  EXPECT_EQ(Merge({Path("merged"), {Path("ranks"), Path("ranks/1")}}, err_), 0);
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("is named twice and read once"), HasSubstr("1 recording is merged")));
}

TEST_F(MergeTest, ACubinThatIsAlteredBesideOneRankIsTakenFromAnother) {
  Ranks(2);
  for (const auto& cubin : fs::directory_iterator(Path("ranks/1/cubins"))) {
    std::ofstream(cubin.path()) << "something else";
  }
  ASSERT_EQ(MergeAll(), 0);
  EXPECT_THAT(err_.str(), Not(HasSubstr("missing or altered")));
  EXPECT_EQ(ReportOn(Path("merged"), "2"), 0);
}

TEST_F(MergeTest, AComparisonWithTheMergedRecordingFindsNothing) {
  Ranks(4, kWasteful);
  ASSERT_EQ(MergeAll(), 0);
  DiffOptions options;
  options.base = Path("ranks");
  options.after = Path("merged");
  options.report.config = kNoProjectFile;
  options.report.path_maps = {"/tmp/coalcheck=" COALCHECK_SOURCE_DIR};
  EXPECT_EQ(Diff(options, out_, err_), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("1 unchanged"));
}

TEST_F(MergeTest, LaunchesOfAMergedRecordingAreKnownToAPrediction) {
  Ranks(4, kWasteful);
  ASSERT_EQ(MergeAll(), 0);
  const auto predicted = [&](const std::string& launches) {
    out_.str("");
    ReportOptions options;
    options.predict = true;
    for (const auto& cubin : fs::directory_iterator(std::string(kWasteful) + "/cubins")) {
      options.recordings.push_back(cubin.path().string());
    }
    options.launches = {launches};
    options.config = kNoProjectFile;
    options.path_maps = {"/tmp/coalcheck=" COALCHECK_SOURCE_DIR};
    options.same_sources = true;
    EXPECT_EQ(Report(options, out_, err_), kFindings);
    return out_.str();
  };
  EXPECT_EQ(predicted(Path("merged")), predicted(Path("ranks/1")));
}

}  // namespace
}  // namespace coalcheck::cli

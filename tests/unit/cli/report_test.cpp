// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck report` on recordings on disk: its exit codes, its messages, its files.
#include "cli/report/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands/commands.h"
#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/writer.h"
#include "tests/support/files.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kKernel = "_Z9transposePKfPfii";

class ReportTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return (scratch_.path() / name).string(); }

  // A recording of one counted launch whose counts are of `cubin`, stored with `content`.
  std::string Record(const std::string& name, CubinId cubin, const std::string& content) {
    auto writer = recording::Writer::Create(Path(name));
    EXPECT_TRUE(writer.ok()) << writer.error();
    recording::Header header;
    header.counters = {"sectors", "ideal_sectors"};
    writer.value()->Append(header);
    recording::Window window;
    window.inside = {{{kKernel, {}, {}}, Launches(1)}};
    window.functions = {{cubin, kKernel, {{PcOffset(16), {32, 4}}}}};
    writer.value()->Append(window);
    writer.value()->Append(recording::End{"exit", 1, {}});
    if (!content.empty()) writer.value()->StoreCubin(cubin, content);
    return Path(name);
  }

  int Run(const ReportOptions& options) {
    out_.str("");
    err_.str("");
    return Report(options, out_, err_);
  }
  int Run(const std::string& recording) {
    ReportOptions options;
    options.recordings = {recording};
    return Run(options);
  }

  support::ScratchFolder scratch_;
  std::ostringstream out_, err_;
};

TEST_F(ReportTest, ARecordingThatDoesNotExistIsAUsageError) {
  EXPECT_EQ(Run("/nonexistent/x.rec"), kUsage);
  EXPECT_EQ(err_.str(), "coalcheck: /nonexistent/x.rec: there is no such recording\n");
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ReportTest, AFolderWithoutRecordsIsNamedAsNoRecording) {
  EXPECT_EQ(Run(scratch_.path().string()), kUsage);
  EXPECT_THAT(err_.str(), HasSubstr("this is not a coalcheck recording"));
}

TEST_F(ReportTest, ARecordsFileOfSomethingElseIsNamedAsNoRecording) {
  std::ofstream(Path("records.jsonl")) << "{\"something\":\"else\"}\n";
  EXPECT_EQ(Run(scratch_.path().string()), kUsage);
  EXPECT_THAT(err_.str(), HasSubstr("this is not a coalcheck recording: it has no header"));
}

TEST_F(ReportTest, ARecordingOfANewerMajorVersionIsAUsageErrorWithTheRemedy) {
  recording::Header header;
  header.major = 2;
  header.tool_version = "3.1.4";
  std::ofstream(Path("records.jsonl")) << recording::ToJsonLine(header);
  EXPECT_EQ(Run(Path("records.jsonl")), kUsage);
  EXPECT_THAT(err_.str(), HasSubstr(fmt::format("format version 2.{}", recording::kMinorVersion)));
  EXPECT_THAT(err_.str(), HasSubstr("read it with the coalcheck 3.1.4 that wrote it"));
}

TEST_F(ReportTest, AnAlteredCubinIsRefusedWithANamedRow) {
  EXPECT_EQ(Run(Record("a.rec", CubinId(1), "not what was recorded")), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("its cubin was altered after it was recorded"));
  EXPECT_THAT(out_.str(), EndsWith("its cubin was altered after it was recorded\n"));
}

TEST_F(ReportTest, AMissingCubinIsANamedRow) {
  EXPECT_EQ(Run(Record("a.rec", CubinId(1), "")), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("32 sectors of transpose(float const*, float*, int, int) not "
                                    "attributed: its cubin is not in the recording"));
}

TEST_F(ReportTest, ExitZeroOnlyReports) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.exit_zero = true;
  EXPECT_EQ(Run(options), kClean);
  EXPECT_THAT(out_.str(), HasSubstr("nothing was checked"));
}

TEST_F(ReportTest, TheScopeThatIsAskedForIsTheReports) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.formats = {"json"};
  Run(options);
  EXPECT_EQ(nlohmann::json::parse(out_.str())["policy"]["scope_asked"], "user");
  options.scope = "all";
  Run(options);
  EXPECT_EQ(nlohmann::json::parse(out_.str())["policy"]["scope_asked"], "all");
}

TEST_F(ReportTest, GroupedByRangeEveryRecordingIsGrouped) {
  Record("ranks/0.rec", CubinId(1), "");
  Record("ranks/1.rec", CubinId(1), "");
  ReportOptions options;
  options.recordings = {Path("ranks")};
  options.group_by = "range";
  EXPECT_EQ(Run(options), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("outside every range: checked 2 of 2 launches, 64 sectors"));
}

TEST_F(ReportTest, AFolderOfRecordingsIsOneReport) {
  Record("ranks/0.rec", CubinId(1), "");
  Record("ranks/1.rec", CubinId(1), "");
  EXPECT_EQ(Run(Path("ranks")), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("summed over 2 recordings"));
  EXPECT_THAT(out_.str(), HasSubstr("64 sectors of"));
}

TEST_F(ReportTest, SeveralFormatsGoToTheirFiles) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.formats = {"json", "text"};
  options.outputs = {Path("report.json")};
  EXPECT_EQ(Run(options), kNothingChecked);
  const auto json = nlohmann::json::parse(support::FileText(Path("report.json")));
  EXPECT_EQ(json["verdict"]["exit_code"], kNothingChecked);
  EXPECT_THAT(out_.str(), EndsWith("its cubin is not in the recording\n")) << "the text";
}

TEST_F(ReportTest, AStepOfAWorkflowGetsAnnotationsAndASummaryWithoutAsking) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.github = GithubActions{Path("summary.md")};
  std::ofstream(Path("summary.md")) << "before\n";
  Run(options);
  EXPECT_THAT(out_.str(), StartsWith("::error title=coalcheck::coalcheck: nothing was checked"));
  EXPECT_THAT(out_.str(), EndsWith("its cubin is not in the recording\n")) << "the text";
  EXPECT_THAT(support::FileText(Path("summary.md")), StartsWith("before\n### coalcheck: nothing"));
}

TEST_F(ReportTest, AskingForFormatsIsAskingForNoAnnotations) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.github = GithubActions{Path("summary.md")};
  options.formats = {"text"};
  Run(options);
  EXPECT_THAT(out_.str(), Not(HasSubstr("::")));
  EXPECT_FALSE(std::filesystem::exists(Path("summary.md")));
  options.formats = {"github", "text"};
  Run(options);
  EXPECT_THAT(out_.str(), HasSubstr("::error title=coalcheck::"));
  EXPECT_TRUE(std::filesystem::exists(Path("summary.md")));
}

TEST_F(ReportTest, ASummaryThatCannotBeWrittenChangesNoVerdict) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.github = GithubActions{"/nonexistent/summary.md"};
  EXPECT_EQ(Run(options), kNothingChecked);
  EXPECT_THAT(err_.str(), HasSubstr("cannot append to the step summary /nonexistent/summary.md"));
}

TEST_F(ReportTest, AFileThatCannotBeWrittenIsAnError) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.outputs = {"/dev/full"};
  EXPECT_EQ(Run(options), kInternalError);
  EXPECT_THAT(err_.str(), HasSubstr("cannot write the report to /dev/full"));
}

TEST_F(ReportTest, TheSameRecordingNamedTwiceCountsOnce) {
  const std::string recording = Record("ranks/0.rec", CubinId(1), "");
  ReportOptions options;
  options.recordings = {recording, Path("ranks"), recording + "/records.jsonl"};
  std::filesystem::create_directory_symlink(recording, Path("link"));
  options.recordings.push_back(Path("link"));
  EXPECT_EQ(Run(options), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("coalcheck: 32 sectors of"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("summed over")));
}

TEST_F(ReportTest, OneUnreadableRecordingAmongManyCostsOnlyItself) {
  Record("ranks/0.rec", CubinId(1), "");
  std::filesystem::create_directory(Path("ranks/1.rec"));
  std::ofstream(Path("ranks/1.rec/records.jsonl")) << "";
  Run(Path("ranks"));
  EXPECT_THAT(out_.str(), HasSubstr("32 sectors of"));
  EXPECT_THAT(out_.str(), HasSubstr("1.rec not used: "));
}

// What is not seen is never clean.
TEST_F(ReportTest, RecordingsOfAFolderThatCannotBeLookedIntoAreNamed) {
  Record("ranks/0.rec", CubinId(1), "");
  for (const char* folder : {"gone", "loop", "cut/cubins", "old/progress", "empty.rec", "papers"}) {
    std::filesystem::create_directories(Path("ranks") + "/" + folder);
  }
  std::filesystem::create_symlink("nowhere", Path("ranks/gone/records.jsonl"));
  std::filesystem::create_symlink("records.jsonl", Path("ranks/loop/records.jsonl"));
  std::filesystem::create_symlink("nowhere", Path("ranks/link"));
  std::ofstream(Path("ranks/notes.txt")) << "of the job";
  Run(Path("ranks"));
  EXPECT_THAT(out_.str(), HasSubstr("32 sectors of"));
  for (const char* lost : {"gone", "loop", "cut", "old", "empty.rec", "link"}) {
    EXPECT_THAT(out_.str(), HasSubstr(std::string(lost) + " not used: "));
  }
  EXPECT_THAT(out_.str(), Not(AnyOf(HasSubstr("papers"), HasSubstr("notes"))));
}

TEST_F(ReportTest, AFolderWhoseRecordingsAreAllLostIsNotClean) {
  std::filesystem::create_directories(Path("ranks/0.rec"));
  EXPECT_EQ(Run(Path("ranks")), kUsage);
  EXPECT_THAT(err_.str(), HasSubstr("0.rec"));
}

TEST_F(ReportTest, AnUnreadableRecordingNamedBesideAGoodOneCostsOnlyItself) {
  std::filesystem::create_directory(Path("1.rec"));
  std::ofstream(Path("1.rec/records.jsonl")) << "";
  ReportOptions options;
  options.recordings = {Path("1.rec"), Record("0.rec", CubinId(1), "")};
  EXPECT_EQ(Run(options), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("32 sectors of"));
  EXPECT_THAT(out_.str(), HasSubstr("1.rec not used: "));
  options.recordings.pop_back();
  EXPECT_EQ(Run(options), kUsage) << "there is nothing to report on";
}

TEST_F(ReportTest, AFolderInWhichALaunchRecordedNothingSaysWhy) {
  std::ofstream(Path("nothing-recorded.txt")) << "true made no recording: no CUDA\n";
  EXPECT_EQ(Run(scratch_.path().string()), kNothingChecked);
  EXPECT_THAT(err_.str(), HasSubstr("true made no recording: no CUDA\n"));
  EXPECT_THAT(out_.str(), HasSubstr("nothing was checked: no process of the program made"));
  ReportOptions options;
  options.recordings = {scratch_.path().string(), Record("0.rec", CubinId(1), "")};
  EXPECT_EQ(Run(options), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("32 sectors of")) << "a recording that is there counts";
}

TEST_F(ReportTest, TheLastLineOfALaunchIsThereWhenTheReportCannotBeWritten) {
  ReportOptions options;
  options.recordings = {Record("a.rec", CubinId(1), "")};
  options.outputs = {"/dev/full"};
  options.launch.emplace();
  EXPECT_EQ(Run(options), kInternalError);
  EXPECT_THAT(out_.str(), EndsWith("; exit code 5 because the report could not be written\n"));
}

TEST_F(ReportTest, TheProgressFileTellsOfLaunchesThatNoTallyKnows) {
  const std::string folder = Path("a.rec");
  {
    auto writer = recording::Writer::Create(folder);
    ASSERT_TRUE(writer.ok());
    recording::Header header;
    header.counters = {"sectors", "ideal_sectors"};
    writer.value()->Append(header);
  }
  std::string progress(64, '\0');
  progress.replace(0, 9, "CCPROG01\7");
  std::ofstream(folder + "/progress", std::ios::binary) << progress;
  EXPECT_EQ(Run(folder), kNothingChecked);
  EXPECT_THAT(out_.str(), HasSubstr("ended without finishing its recording"));
  EXPECT_THAT(out_.str(),
              HasSubstr(") or still runs; nothing was counted by then (7 launches seen)\n"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("no kernel was launched")));
}

}  // namespace
}  // namespace coalcheck::cli

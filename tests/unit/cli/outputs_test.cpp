// SPDX-License-Identifier: Apache-2.0
//
// Which form of the report goes where.
#include "cli/report/outputs.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/base/foreign_file.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> Described(const std::vector<std::string>& formats,
                                   const std::vector<std::string>& outputs) {
  ReportOptions options;
  options.formats = formats;
  options.outputs = outputs;
  std::vector<std::string> described;
  for (const WantedOutput& one : WantedOutputs(options)) {
    described.push_back(std::string(ToString(one.format)) + " to " + one.file.value_or("nowhere"));
  }
  return described;
}

TEST(WantedOutputs, TextWhenNothingIsAskedFor) {
  EXPECT_EQ(Described({}, {}), std::vector<std::string>{"text to nowhere"});
  EXPECT_EQ(Described({}, {"a"}), std::vector<std::string>{"text to a"});
}

TEST(WantedOutputs, AFormatNamesItsOwnFile) {
  EXPECT_EQ(Described({"text", "json=a=b.json"}, {}),
            (std::vector<std::string>{"text to nowhere", "json to a=b.json"}));
}

TEST(WantedOutputs, FilesOfOutputGoToTheFormatsWithoutOne) {
  EXPECT_EQ(Described({"json=a", "text", "json"}, {"b", "c"}),
            (std::vector<std::string>{"json to a", "text to b", "json to c"}));
}

TEST(WantedOutputs, AnUnknownFormatIsToldWhichThereAre) {
  EXPECT_EQ(RefuseAllButFormat("json"), "");
  EXPECT_EQ(RefuseAllButFormat("json=x"), "");
  for (const output::Format format : output::AllFormats()) {
    EXPECT_THAT(RefuseAllButFormat("jsn=x"), HasSubstr(std::string(ToString(format)) + ","));
  }
  EXPECT_EQ(RefuseAllButFormat("json="), "names no file after '='");
  EXPECT_NE(RefuseAllButFormat(""), "");
}

TEST(WantedOutputs, EveryNameOfAFormatIsReadBack) {
  for (const output::Format format : output::AllFormats()) {
    EXPECT_EQ(output::FormatFromString(ToString(format)), format);
  }
}

TEST(OpenNoLink, FollowsNoLinkThatStandsThereNow) {
  const support::ScratchFolder scratch;
  const std::filesystem::path mine = scratch.path() / "mine";
  std::ofstream(mine) << "precious";
  std::filesystem::create_symlink(mine, scratch.path() / "report");
  EXPECT_FALSE(OpenNoLink((scratch.path() / "report").string()).good());
  EXPECT_EQ(std::filesystem::file_size(mine), 8U);
  OpenNoLink(mine.string()) << "new";
  EXPECT_EQ(std::filesystem::file_size(mine), 3U);
  OpenNoLink(mine.string(), std::ios::app) << "er";
  EXPECT_EQ(std::filesystem::file_size(mine), 5U);
}

TEST(OpenNoLink, WritesIntoNoPipe) {
  const support::ScratchFolder scratch;
  const std::string pipe = (scratch.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(OpenNoLink(pipe).good()) << "nobody reads from it";
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_FALSE(OpenNoLink(pipe).good());
  close(reader);
}

TEST(WhyNoOutput, OneFileForTwoFormatsIsRefused) {
  const support::ScratchFolder scratch;
  const std::string file = (scratch.path() / "report").string();
  ReportOptions options;
  options.formats = {"json=" + file, "text"};
  EXPECT_EQ(WhyNoOutput(options), "");
  options.outputs = {file};
  EXPECT_EQ(WhyNoOutput(options),
            "two formats, json and text, for " + file + "; name a file: --format text=FILE");
}

TEST(WhyNoOutput, TwoFormatsForStandardOutputAreRefused) {
  ReportOptions options;
  options.formats = {"json", "text"};
  EXPECT_EQ(WhyNoOutput(options),
            "two formats, json and text, for standard output; name a file: --format text=FILE");
  options.formats = {"json=-", "text"};
  EXPECT_NE(WhyNoOutput(options), "");
  options.formats = {"text", "github"};  // both are lines of a build's log
  EXPECT_EQ(WhyNoOutput(options), "");
}

TEST(WhyNoOutput, MoreFilesThanFormatsWithoutOneAreRefused) {
  ReportOptions options;
  options.formats = {"json=-"};
  options.outputs = {"-"};
  EXPECT_EQ(WhyNoOutput(options), "--output: there are more files than formats");
  options.formats.emplace_back("text=/dev/null");
  options.outputs.clear();
  EXPECT_EQ(WhyNoOutput(options), "");
}

TEST(WhyNoOutput, AFolderThatIsNotThereIsNamedWithItsFile) {
  ReportOptions options;
  options.formats = {"json=/nonexistent/report.json"};
  EXPECT_EQ(WhyNoOutput(options),
            "cannot write the report to /nonexistent/report.json: No such file or directory");
}

}  // namespace
}  // namespace coalcheck::cli

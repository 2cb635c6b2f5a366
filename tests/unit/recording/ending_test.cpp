// SPDX-License-Identifier: Apache-2.0
//
// How a process ended is added behind whatever it left, and its last torn line is told from damage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "libcoalcheck/recording/append.h"
#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/reader.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::recording {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const ProcessEnd kKilled{4242, EndKind::kSignal, 9};

class Ending : public ::testing::Test {
 protected:
  Ending() { header_.pid = 4242; }

  void Write(const std::string& text) {
    std::ofstream(folder() + "/records.jsonl", std::ios::binary) << text;
  }
  RecordedRun Read() {
    std::ostringstream text;
    text << std::ifstream(folder() + "/records.jsonl", std::ios::binary).rdbuf();
    auto run = ParseRecords(text.str());
    EXPECT_TRUE(run.ok()) << run.status();
    return run.ok() ? *std::move(run) : RecordedRun{};
  }
  std::string folder() const { return scratch_.path().string(); }

  support::ScratchFolder scratch_;
  Header header_;
};

TEST_F(Ending, TheSignalThatKilledTheProcessComesBack) {
  Write(ToJsonLine(header_));
  EXPECT_EQ(AppendRecord(folder(), kKilled), 0);
  const RecordedRun run = Read();
  ASSERT_TRUE(run.process_end);
  EXPECT_EQ(run.process_end->kind, EndKind::kSignal);
  EXPECT_EQ(run.process_end->number, 9U);
  EXPECT_FALSE(run.end);
}

TEST_F(Ending, ATornLastLineIsCutShortAndCostsOnlyItself) {
  Write(ToJsonLine(header_) + R"({"record":"window","wind)");
  EXPECT_EQ(AppendRecord(folder(), kKilled), 0);
  const RecordedRun run = Read();
  EXPECT_TRUE(run.process_end);
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kCutShort);
  EXPECT_EQ(run.lost_lines[0].first_line, 2U);
}

TEST_F(Ending, ATornLineInTheMiddleStaysDamage) {
  Write(ToJsonLine(header_) + "{\"rec\n" + ToJsonLine(Loss{"x", "", 1}));
  EXPECT_EQ(AppendRecord(folder(), kKilled), 0);
  const RecordedRun run = Read();
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kNotJson);
}

TEST_F(Ending, OfTwoTornLinesOnlyTheLastWasCutShortByTheEnd) {
  Write(ToJsonLine(header_) + "{\"rec\n{\"re");
  EXPECT_EQ(AppendRecord(folder(), kKilled), 0);
  const RecordedRun run = Read();
  ASSERT_THAT(run.lost_lines, SizeIs(2));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kCutShort);
  EXPECT_EQ(run.lost_lines[1].why, LineLoss::kNotJson);
}

TEST_F(Ending, TheEndOfAnotherProcessIsPassedOver) {
  Write(ToJsonLine(header_));
  EXPECT_EQ(AppendRecord(folder(), ProcessEnd{1, EndKind::kExit, 3}), 0);
  const RecordedRun run = Read();
  EXPECT_FALSE(run.process_end);
  EXPECT_THAT(run.lost_lines, IsEmpty());
}

TEST_F(Ending, NothingIsAppendedToALinkOrAPipe) {
  const std::string records = folder() + "/records.jsonl";
  const std::string other = folder() + "/other";
  std::ofstream(other) << "not ours\n";
  std::filesystem::create_symlink(other, records);
  EXPECT_EQ(AppendRecord(folder(), kKilled), ELOOP);
  EXPECT_EQ(std::filesystem::file_size(other), 9U);
  std::filesystem::remove(records);
  ASSERT_EQ(mkfifo(records.c_str(), 0600), 0);
  EXPECT_NE(AppendRecord(folder(), kKilled), 0);
  EXPECT_EQ(AppendRecord("/nonexistent", kKilled), ENOENT);
}

TEST_F(Ending, AFileThatHasAnotherNameTooIsNotWrittenTo) {
  Write("x");
  std::filesystem::create_hard_link(folder() + "/records.jsonl", folder() + "/other");
  EXPECT_EQ(AppendRecord(folder(), kKilled), EMLINK);
  EXPECT_EQ(std::filesystem::file_size(folder() + "/other"), 1U);
}

TEST(Progress, ItsNumbersAreLittleEndian) {
  std::string bytes(kProgressBytes, '\0');
  bytes.replace(0, 8, kProgressMagic);
  bytes[8] = '\x02';
  bytes[9] = '\x01';
  bytes[16] = '\x05';
  bytes[31] = '\x80';
  const auto progress = ReadProgress(bytes);
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->launches, 258U);
  EXPECT_EQ(progress->windows, 5U);
  EXPECT_EQ(progress->kernels_without_lines, std::uint64_t{1} << 63U);
}

TEST(Progress, WhatIsShortOrSomethingElseHasNone) {
  std::string bytes(kProgressBytes, '\0');
  EXPECT_FALSE(ReadProgress(bytes));
  bytes.replace(0, 8, "CCPROG02");
  EXPECT_FALSE(ReadProgress(bytes));
  bytes.replace(0, 8, kProgressMagic);
  EXPECT_FALSE(ReadProgress(std::string_view(bytes).substr(0, 63)));
  EXPECT_FALSE(ReadProgress(""));
}

}  // namespace
}  // namespace coalcheck::recording

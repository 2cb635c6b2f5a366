// SPDX-License-Identifier: Apache-2.0
//
// What the program hands over of its sources, in the recording.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/agent/one_context.h"

namespace coalcheck::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Sources : public OneContext {
 protected:
  void HandOver(const std::string& file, const std::string& text, std::uint32_t first_line = 1) {
    program_->sources().Add({file, first_line, text});
  }
  static std::vector<std::string> Words(const recording::RecordedRun& run) {
    std::vector<std::string> words;
    for (const recording::Source& one : run.sources) {
      words.push_back(one.file + ":" + std::to_string(one.first_line) + " " + one.text);
    }
    return words;
  }
  static std::uint64_t LeftOut(const recording::RecordedRun& run) {
    std::uint64_t count = 0;
    for (const recording::Loss& loss : run.losses) {
      if (loss.what == "sources_left_out") count += loss.count;
    }
    return count;
  }
};

TEST_F(Sources, AreInTheRecordingOnceHoweverOftenTheyCome) {
  Start();
  HandOver("a.cu", "text");
  Launch("copy");
  program_->agent().Flush();
  EXPECT_THAT(Words(program_->Read()), ElementsAre("a.cu:1 text"));
  HandOver("a.cu", "text");
  HandOver("a.cu", "text", 7);
  const recording::RecordedRun run = End();
  EXPECT_THAT(Words(run), ElementsAre("a.cu:1 text", "a.cu:7 text"));
  EXPECT_EQ(LeftOut(run), 0U);
}

TEST_F(Sources, ThatNameNoLineOfAFileAreNotTaken) {
  Start();
  HandOver("", "text");
  HandOver("a.cu", "text", 0);
  EXPECT_THAT(End().sources, IsEmpty());
}

TEST_F(Sources, AreLeftOutWhereTheUserSaysSo) {
  Start("--record-sources off");
  HandOver("a.cu", "secret");
  HandOver("b.cu", std::string(recording::kMostSourceText, 'b'));
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.sources, IsEmpty());
  EXPECT_EQ(LeftOut(run), 0U);
}

TEST_F(Sources, BeyondTheMostTextAreCountedAndNotKept) {
  Start();
  const std::string half(recording::kMostSourceText / 2, 'h');
  HandOver("a.cu", half);
  HandOver("b.cu", half);
  HandOver("c.cu", "small");
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.sources, SizeIs(2));
  EXPECT_EQ(run.sources[0].file, "a.cu");
  EXPECT_EQ(run.sources[1].file, "c.cu");
  EXPECT_EQ(LeftOut(run), 1U);
  EXPECT_THAT(run.lost_lines, IsEmpty());
}

TEST_F(Sources, ThatWouldMakeALineTooLongAreCountedAndNotKept) {
  Start();
  HandOver("a.cu", std::string(recording::kMostSourceText - 100, '\x01'));  // \u0001 in JSON
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.sources, IsEmpty());
  EXPECT_EQ(LeftOut(run), 1U);
}

TEST_F(Sources, InMorePiecesThanTheMostAreCountedAndNotKept) {
  Start();
  for (std::uint32_t line = 1; line <= recording::kMostSources + 3; ++line) {
    HandOver("a.cu", "x", line);
  }
  const recording::RecordedRun run = End();
  EXPECT_THAT(run.sources, SizeIs(recording::kMostSources));
  EXPECT_EQ(LeftOut(run), 3U);
}

TEST_F(Sources, OfAForkedChildAreNotKept) {
  Start();
  program_->sources().Forked();
  HandOver("a.cu", "text");
  EXPECT_THAT(program_->sources().Take(), IsEmpty());
  End();
}

}  // namespace
}  // namespace coalcheck::testing

// SPDX-License-Identifier: Apache-2.0
//
// Lines of files that are gone come out of recordings, and those of files that are there from disk.
#include "cli/report/report_source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

using ::testing::ElementsAre;

class ReportSourceTextTest : public testing::Test {
 protected:
  void Add(const std::string& file, const std::string& text, std::uint32_t first_line = 1) {
    sources_.Add({file, first_line, text}, map_);
  }

  support::ScratchFolder scratch_;
  findings::PathMap map_;
  ReportSourceText sources_{{scratch_.path().string()}};
};

TEST_F(ReportSourceTextTest, QuotesAFileThatIsGone) {
  Add("/gone/a.cu", "one\ntwo\r\nthree");
  EXPECT_EQ(sources_.Line("/gone/a.cu", 2), "two");
  EXPECT_EQ(sources_.Line("/gone/a.cu", 3), "three");
  EXPECT_EQ(sources_.Line("/gone/a.cu", 4), std::nullopt);
  EXPECT_EQ(sources_.Line("/gone/a.cu", 0), std::nullopt);
  EXPECT_EQ(sources_.Line("/gone/b.cu", 1), std::nullopt);
  EXPECT_THAT(sources_.Files(), ElementsAre("/gone/a.cu"));
}

TEST_F(ReportSourceTextTest, PrefersTheFileThatIsThere) {
  const std::string file = (scratch_.path() / "a.cu").string();
  std::ofstream(file) << "disk\n";
  Add(file, "recorded\nmore\n");
  EXPECT_EQ(sources_.Line(file, 1), "disk");
  EXPECT_EQ(sources_.Line(file, 2), std::nullopt);
}

TEST_F(ReportSourceTextTest, FindsANameWithoutAFolderInWhateverFolder) {
  Add("0a1b.cubin.cu", "kernel\n");
  EXPECT_EQ(sources_.Line("/tmp/tmpx1/0a1b.cubin.cu", 1), "kernel");
  EXPECT_EQ(sources_.Line("/tmp/tmpx2/0a1b.cubin.cu", 1), "kernel");
  EXPECT_EQ(sources_.Line("/tmp/tmpx2/ff.cubin.cu", 1), std::nullopt);
}

TEST_F(ReportSourceTextTest, CountsAPieceFromItsFirstLine) {
  Add("/gone/a.py", "def f():\n  pass\n", 40);
  Add("/gone/a.py", "def g():\n", 50);
  EXPECT_EQ(sources_.Line("/gone/a.py", 41), "  pass");
  EXPECT_EQ(sources_.Line("/gone/a.py", 42), std::nullopt);
  EXPECT_EQ(sources_.Line("/gone/a.py", 39), std::nullopt);
  EXPECT_EQ(sources_.Line("/gone/a.py", 50), "def g():");
  EXPECT_EQ(sources_.LineCount("/gone/a.py"), std::nullopt);  // there may be more
}

TEST_F(ReportSourceTextTest, HasNoTextForALineThatTwoPiecesDisagreeAbout) {
  Add("/gone/a.py", "same\nold\n");
  Add("/gone/a.py", "same\nnew\n");
  EXPECT_EQ(sources_.Line("/gone/a.py", 1), "same");
  EXPECT_EQ(sources_.Line("/gone/a.py", 2), std::nullopt);
}

TEST_F(ReportSourceTextTest, KnowsFilesByTheirMappedNames) {
  map_.Add("/build", "/home/me");
  Add("//build/./a.cu", "text\n");
  EXPECT_EQ(sources_.Line("/home/me/a.cu", 1), "text");
  EXPECT_EQ(sources_.Line("/build/a.cu", 1), std::nullopt);
}

TEST_F(ReportSourceTextTest, KnowsWhatAFileWasMadeFromUnlessRecordingsDisagree) {
  map_.Add("/tmp", "/home/me");
  const recording::Source source{"/tmp/k0.py", 1, "text", {}, "stack"};
  sources_.Add(source, map_);
  sources_.Add(source, map_);
  EXPECT_EQ(sources_.StackOf("/home/me/k0.py"), "stack");
  EXPECT_EQ(sources_.StackOf("/tmp/k0.py"), "");
  sources_.Add({"/tmp/k0.py", 1, "text", {}, "another"}, map_);
  EXPECT_EQ(sources_.StackOf("/home/me/k0.py"), "");
}

TEST_F(ReportSourceTextTest, CallsAFileAsItsSourceSaysThatItIsShown) {
  sources_.Add({"/tmp/kernel/1.py", 1, "one\ntwo\n", "In[7]"}, map_);
  sources_.NameFiles(map_);
  EXPECT_EQ(map_.Apply("/tmp/kernel/1.py"), "In[7]");
  EXPECT_EQ(map_.Apply("/tmp/kernel/2.py"), "/tmp/kernel/2.py");
  EXPECT_EQ(sources_.Line("In[7]", 2), "two");
  EXPECT_THAT(sources_.Files(), ElementsAre("In[7]"));
}

TEST_F(ReportSourceTextTest, CallsACellThatRanTwiceByItsLaterNumberInWhateverOrderTheyCome) {
  for (const auto& [first, second] : {std::pair{"In[9]", "In[10]"}, {"In[10]", "In[9]"}}) {
    ReportSourceText sources{{}};
    sources.Add({"/tmp/kernel/1.py", 1, "text", first}, map_);
    sources.Add({"/tmp/kernel/1.py", 1, "text", second}, map_);
    sources.NameFiles(map_);
    EXPECT_EQ(map_.Apply("/tmp/kernel/1.py"), "In[10]");
    EXPECT_EQ(sources.Line("In[10]", 1), "text");
  }
}

TEST_F(ReportSourceTextTest, PutsNothingInThePlaceOfAFileThatIsThere) {
  const std::string file = (scratch_.path() / "a.cu").string();
  std::ofstream(file) << "disk\n";
  sources_.Add({file, 1, "recorded\n", "In[7]"}, map_);
  sources_.Add({"/gone/b.cu", 1, "recorded\n", file}, map_);
  sources_.NameFiles(map_);
  EXPECT_EQ(map_.Apply(file), file);
  EXPECT_EQ(map_.Apply("/gone/b.cu"), "/gone/b.cu");
  EXPECT_EQ(sources_.Line("/gone/b.cu", 1), "recorded");
}

TEST_F(ReportSourceTextTest, HoldsNoMoreThanIsGoodForIt) {
  const std::string large(recording::kMostMergedSourceText / 2 + 1, 'x');
  Add("/gone/a.cu", large);
  Add("/gone/b.cu", large);
  EXPECT_EQ(sources_.Line("/gone/a.cu", 1), std::string(cubin::kLongestLine, 'x'));
  EXPECT_EQ(sources_.Line("/gone/b.cu", 1), std::nullopt);
}

TEST_F(ReportSourceTextTest, SurvivesLinesBeyondTheLargestNumber) {
  Add("/gone/a.cu", "one\ntwo\nthree\n", 4294967295U);
  EXPECT_EQ(sources_.Line("/gone/a.cu", 4294967295U), "one");
  EXPECT_EQ(sources_.Line("/gone/a.cu", 1), std::nullopt);
}

}  // namespace
}  // namespace coalcheck::cli

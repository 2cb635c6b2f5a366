// SPDX-License-Identifier: Apache-2.0
//
// Which line of Python a generated file comes from, out of stacks that may be anybody's.
#include "libcoalcheck/findings/sources/made_from.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// As PyTorch 2.11 keeps one: the user's module calls one of PyTorch's.
constexpr std::string_view kStack =
    "  File \"/src/app/train.py\", line 12, in forward\n"
    "    y = self.norm(x)\n"
    "  File \"/venv/lib/python3.12/site-packages/torch/nn/modules/normalization.py\", line 229, in "
    "forward\n"
    "    return F.layer_norm(";

class MadeFromTest : public ::testing::Test {
 protected:
  std::vector<std::string> Of(std::string stacks) {
    source_.stack_of = [&stacks](std::string_view file) {
      return file == "/tmp/generated.py" ? std::string_view(stacks) : std::string_view();
    };
    std::vector<std::string> lines;
    for (const auto& [frame, text] : MadeFromOf("/tmp/generated.py", source_)) {
      lines.push_back(frame.file + ":" + std::to_string(frame.line) + " " + frame.function + ": " +
                      text);
    }
    return lines;
  }

  FakeSources text_;
  SourceView source_{{"/src/app", {}}, {}, text_};
};

TEST(FramesOfStack, AreInnermostFirstWithTheirText) {
  const std::vector<MadeFrom> frames = FramesOfStack(kStack);
  ASSERT_THAT(frames, SizeIs(2));
  EXPECT_EQ(frames[0].text, "return F.layer_norm(");
  EXPECT_EQ(frames[1].frame, (Frame{"forward", "/src/app/train.py", 12}));
}

TEST(FramesOfStack, TakeWhatIsNoFrameForNothing) {
  for (const char* text : {"", "\n\n", "File", "File \"a.py\"", "File \"a.py\", line , in f",
                           "File \"\", line 1, in f", "File \"a.py\", line 0, in f",
                           "File \"a.py\", line 4294967296, in f", "File \", line 1, in f",
                           "File \"a.py\", line 1", "File \"a.py\", line -1, in f", "at a.py:12"}) {
    EXPECT_THAT(FramesOfStack(text), IsEmpty()) << text;
  }
  EXPECT_THAT(FramesOfStack("File \"a\", line 1, in b.py\", line 2, in f"), SizeIs(1));
}

TEST(FramesOfStack, PassOverTheMarksUnderALine) {
  const auto frames =
      FramesOfStack("File \"a.py\", line 1, in f\n  x[0]\n  ~^^^\nFile \"b.py\", line 2, in g");
  ASSERT_THAT(frames, SizeIs(2));
  EXPECT_EQ(frames[1].text, "x[0]");
  EXPECT_EQ(frames[0].text, "");
}

TEST_F(MadeFromTest, IsTheUsersInnermostLine) {
  EXPECT_THAT(Of(std::string(kStack)),
              ElementsAre("/src/app/train.py:12 forward: y = self.norm(x)"));
}

TEST_F(MadeFromTest, IsNotKnownWhereTheStackIsOfInstalledPackagesAlone) {
  EXPECT_THAT(Of("File \"/usr/lib/python3/dist-packages/torch/a.py\", line 1, in f\n  x"),
              IsEmpty());
}

TEST_F(MadeFromTest, IsNotKnownWhereTheLineHasAnotherTextByNow) {
  text_.files["/src/app/train.py"] = std::vector<std::string>(20, "    other = 1");
  EXPECT_THAT(Of(std::string(kStack)), IsEmpty());
  text_.files["/src/app/train.py"][11] = "        y = self.norm(x)\r";
  EXPECT_THAT(Of(std::string(kStack)), SizeIs(1));
}

TEST_F(MadeFromTest, IsEachLineOnceOfSeveralStacksAndEightAtMost) {
  std::string stacks;
  for (int i = 0; i < 30; ++i) {
    stacks += "File \"/src/app/a.py\", line " + std::to_string(1 + i / 2) + ", in f\n  x\n\n";
  }
  const std::vector<std::string> lines = Of(stacks);
  ASSERT_THAT(lines, SizeIs(8));
  EXPECT_EQ(lines[7], "/src/app/a.py:8 f: x");
}

TEST_F(MadeFromTest, IsLookedForInTheFirst64KiBAlone) {
  const std::string frame = "File \"/src/app/a.py\", line 1, in f\n";
  EXPECT_THAT(Of(std::string(65536 - frame.size(), '\n') + frame), SizeIs(1));
  EXPECT_THAT(Of(std::string(65536, '\n') + frame), IsEmpty());
}

TEST_F(MadeFromTest, HasItsPathMapped) {
  source_.path_map.Add("/src/app", "/home/me");
  source_.scope.root = "/home/me";
  EXPECT_THAT(Of(std::string(kStack)),
              ElementsAre("/home/me/train.py:12 forward: y = self.norm(x)"));
}

TEST_F(MadeFromTest, IsNotKnownOfOtherFiles) {
  source_.stack_of = {};
  EXPECT_THAT(MadeFromOf("/tmp/generated.py", source_), IsEmpty());
}

TEST_F(MadeFromTest, LeavesOutLinesWhoseTextWouldBeInEachAccess) {
  const std::string long_name(65'000, 'f');
  EXPECT_THAT(Of("File \"/src/app/a.py\", line 1, in " + long_name + "\n  x\n\n" +
                 "File \"/src/app/b.py\", line 2, in f\n  y"),
              ElementsAre("/src/app/b.py:2 f: y"));
  const std::string name(1'000, 'f');
  std::string stacks;
  for (int i = 1; i <= 8; ++i) {
    stacks += "File \"/src/app/a.py\", line " + std::to_string(i) + ", in " + name + "\n  x\n\n";
  }
  EXPECT_THAT(Of(stacks), SizeIs(4));
}

}  // namespace
}  // namespace coalcheck::findings

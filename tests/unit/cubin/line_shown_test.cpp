// SPDX-License-Identifier: Apache-2.0
//
// The line shown is one that the user can edit.
#include "libcoalcheck/cubin/line_shown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace coalcheck::cubin {
namespace {

class FakeSources : public SourceText {
 public:
  explicit FakeSources(std::map<std::string, std::uint32_t> lines) : lines_(std::move(lines)) {}
  std::optional<std::uint32_t> LineCount(std::string_view file) override {
    const auto found = lines_.find(std::string(file));
    if (found == lines_.end()) return std::nullopt;
    return found->second;
  }
  std::optional<std::string> Line(std::string_view, std::uint32_t) override { return ""; }

 private:
  std::map<std::string, std::uint32_t> lines_;
};

const SourceScope kScope{"/src/app"};

TEST(LineShown, IsTheInnermostFrameUnderTheRoot) {
  const std::vector<SourceFrame> frames = {{"f", "/usr/local/cuda/include/x.h", 1},
                                           {"g", "/src/app/helper.h", 2},
                                           {"k", "/src/app/main.cu", 3}};
  EXPECT_EQ(LineShown(frames, kScope), &frames[1]);
}

TEST(LineShown, IsElseTheInnermostFrameThatIsNotInstalled) {
  const std::vector<SourceFrame> frames = {{"f", "/opt/conda/site-packages/a/x.h", 1},
                                           {"g", "/home/me/other/helper.h", 2},
                                           {"k", "/home/me/other/main.cu", 3}};
  EXPECT_EQ(LineShown(frames, kScope), &frames[1]);
}

TEST(LineShown, IsElseTheInnermostFrame) {
  const std::vector<SourceFrame> frames = {{"f", "/usr/include/x.h", 1},
                                           {"k", "/usr/include/y.h", 3}};
  EXPECT_EQ(LineShown(frames, kScope), &frames[0]);
}

TEST(LineShown, IsNothingWithoutFrames) { EXPECT_EQ(LineShown({}, kScope), nullptr); }

TEST(IsUnderRoot, TakesThePathApartAtItsSlashes) {
  EXPECT_TRUE(IsUnderRoot("/src/app/a.cu", kScope));
  EXPECT_TRUE(IsUnderRoot("/src/app/../app/sub/a.cu", kScope));
  EXPECT_TRUE(IsUnderRoot("//src/./app/a.cu", kScope));
  EXPECT_FALSE(IsUnderRoot("/src/application/a.cu", kScope));
  EXPECT_FALSE(IsUnderRoot("/src/app/../other/a.cu", kScope));
  EXPECT_FALSE(IsUnderRoot("/src/app", kScope));
  EXPECT_FALSE(IsUnderRoot("a.cu", kScope));
  EXPECT_TRUE(IsUnderRoot("/a.cu", {"/"}));
  EXPECT_FALSE(IsUnderRoot("/a.cu", {""}));
}

TEST(IsUnderRoot, SurvivesMoreStepsUpThanThereAre) {
  EXPECT_TRUE(IsUnderRoot("/../../src/app/a.cu", kScope));
  EXPECT_FALSE(IsUnderRoot("../../src/app/a.cu", kScope));
}

TEST(IsUnderRoot, KnowsOwnFilesByTheirPathsAndByTheirNames) {
  const SourceScope scope{"/src/app", {}, {"/tmp/cell.py", "0a1b.cubin.cu"}};
  EXPECT_TRUE(IsUnderRoot("/tmp/cell.py", scope));
  EXPECT_FALSE(IsUnderRoot("/tmp/other/cell.py", scope));
  EXPECT_TRUE(IsUnderRoot("/tmp/tmpx1/0a1b.cubin.cu", scope));
  EXPECT_TRUE(IsUnderRoot("0a1b.cubin.cu", scope));
  EXPECT_FALSE(IsUnderRoot("/tmp/1b.cubin.cu", scope));
}

TEST(IsInstalledFile, KnowsTheToolkitAndPackages) {
  EXPECT_TRUE(IsInstalledFile("/usr/local/cuda/bin/../targets/x86_64-linux/include/cub/cub.cuh"));
  EXPECT_TRUE(IsInstalledFile("/home/me/venv/lib/python3.11/site-packages/triton/x.py"));
  EXPECT_TRUE(IsInstalledFile("/home/me/cuda-13/targets/x86_64-linux/include/cuda_fp16.hpp"));
  EXPECT_FALSE(IsInstalledFile("/home/me/app/site-packages.cu"));
  EXPECT_FALSE(IsInstalledFile("/usr/../home/me/app/a.cu"));
  EXPECT_FALSE(IsInstalledFile("/usr/src/app/a.cu"));
}

TEST(DropImpossibleFrames, DropsALinePastTheEndOfAReadableFile) {
  FakeSources sources({{"/src/a.cu", 10}});
  const std::vector<SourceFrame> frames = {
      {"f", "/src/a.cu", 11}, {"g", "/src/a.cu", 10}, {"k", "/src/unreadable.cu", 999}};
  EXPECT_THAT(DropImpossibleFrames(frames, sources), testing::ElementsAre(frames[1], frames[2]));
}

}  // namespace
}  // namespace coalcheck::cubin

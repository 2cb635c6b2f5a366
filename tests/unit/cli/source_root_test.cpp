// SPDX-License-Identifier: Apache-2.0
//
// The source root is what the user said, else the git top level, else here.
#include "cli/report/source_root.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

TEST(SourceRoot, IsTheOptionWithoutItsTrailingSlash) {
  EXPECT_EQ(ResolveSourceRoot("/src/app/", "/tmp"), "/src/app");
  EXPECT_EQ(ResolveSourceRoot("../app/./x", "/src/build"), "/src/app/x");
}

TEST(SourceRoot, IsTheGitTopLevelAboveTheWorkingDirectory) {
  const support::ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path() / ".git");
  std::filesystem::create_directories(scratch.path() / "a/b");
  EXPECT_EQ(ResolveSourceRoot("", (scratch.path() / "a/b").string()), scratch.path().string());
}

TEST(SourceRoot, KnowsAWorktreesGitFile) {
  const support::ScratchFolder scratch;
  std::filesystem::create_directories(scratch.path() / "tree/a");
  std::ofstream(scratch.path() / "tree/.git") << "gitdir: elsewhere\n";
  EXPECT_EQ(ResolveSourceRoot("", (scratch.path() / "tree/a").string()),
            (scratch.path() / "tree").string());
}

TEST(SourceRoot, IsTheWorkingDirectoryOutsideGit) {
  EXPECT_EQ(ResolveSourceRoot("", "/nonexistent/folder"), "/nonexistent/folder");
}

}  // namespace
}  // namespace coalcheck::cli

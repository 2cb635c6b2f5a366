// SPDX-License-Identifier: Apache-2.0
//
// The source root is what the user said, else the git top level, else here.
#include "cli/report/source_root.h"

#include <gtest/gtest.h>
#include <unistd.h>

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

TEST(SourceRoot, IsNotWhereAnotherUserPutAGitFolderIntoASharedFolder) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder to another user";
  const support::ScratchFolder scratch;
  const std::filesystem::path git = scratch.path() / ".git";
  std::filesystem::create_directories(git);
  std::filesystem::create_directories(scratch.path() / "a");
  ASSERT_EQ(chown(git.c_str(), 12345, 12345), 0);
  EXPECT_EQ(ResolveSourceRoot("", (scratch.path() / "a").string()),
            (scratch.path() / "a").string());
  ASSERT_EQ(chown(scratch.path().c_str(), 12345, 12345), 0);
  EXPECT_EQ(ResolveSourceRoot("", (scratch.path() / "a").string()), scratch.path().string())
      << "the repository of the folder's owner, as in a container of a build";
}

TEST(SourceRoot, IsTheWorkingDirectoryOutsideGit) {
  EXPECT_EQ(ResolveSourceRoot("", "/nonexistent/folder"), "/nonexistent/folder");
}

}  // namespace
}  // namespace coalcheck::cli

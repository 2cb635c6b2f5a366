// SPDX-License-Identifier: Apache-2.0
//
// Lines come back as an editor counts them, and what is no readable file has none.
#include "cli/base/disk_source_text.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

class DiskSourceTextTest : public testing::Test {
 protected:
  std::string Write(const std::string& text) {
    const std::string file = (scratch_.path() / "a.cu").string();
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  support::ScratchFolder scratch_;
  DiskSourceText sources_{{scratch_.path().string()}};
};

TEST_F(DiskSourceTextTest, CountsALastLineWithoutItsEnd) {
  const std::string file = Write("one\ntwo");
  EXPECT_EQ(sources_.LineCount(file), 2U);
  EXPECT_EQ(sources_.Line(file, 2), "two");
}

TEST_F(DiskSourceTextTest, DoesNotCountALineAfterTheLastEnd) {
  const std::string file = Write("one\n\nthree\n");
  EXPECT_EQ(sources_.LineCount(file), 3U);
  EXPECT_EQ(sources_.Line(file, 2), "");
  EXPECT_EQ(sources_.Line(file, 4), std::nullopt);
  EXPECT_EQ(sources_.Line(file, 0), std::nullopt);
}

TEST_F(DiskSourceTextTest, TakesOffACarriageReturn) {
  EXPECT_EQ(sources_.Line(Write("one\r\ntwo\r\n"), 1), "one");
}

TEST_F(DiskSourceTextTest, CutsLinesThatNobodyReads) {
  const std::string cut = "x" + std::string(998, 'y');
  const std::string file = Write(cut + "é" + std::string(5000, 'z') + "\ntwo\n" + cut + "é");
  EXPECT_EQ(sources_.Line(file, 1), cut);
  EXPECT_EQ(sources_.Line(file, 2), "two");
  EXPECT_EQ(sources_.Line(file, 3), cut) << "é would end behind the 1000 bytes";
}

TEST_F(DiskSourceTextTest, HasNothingForWhatIsNoRegularFile) {
  EXPECT_EQ(sources_.LineCount("/nonexistent.cu"), std::nullopt);
  EXPECT_EQ(sources_.LineCount("/dev/zero"), std::nullopt);
  EXPECT_EQ(sources_.LineCount("/"), std::nullopt);
  EXPECT_EQ(sources_.Line("/nonexistent.cu", 1), std::nullopt);
}

TEST_F(DiskSourceTextTest, HasNothingForWhatLiesElsewhereHoweverThePathGetsThere) {
  support::ScratchFolder elsewhere;
  const std::string secret = (elsewhere.path() / "secret").string();
  std::ofstream(secret) << "password\n";
  std::filesystem::create_symlink(secret, scratch_.path() / "link.cu");
  std::filesystem::create_directory_symlink(elsewhere.path(), scratch_.path() / "folder");
  const std::string inside = scratch_.path().string();
  for (const std::string& path :
       {secret, inside + "/link.cu", inside + "/folder/secret",
        inside + "/../" + elsewhere.path().filename().string() + "/secret"}) {
    EXPECT_EQ(sources_.Line(path, 1), std::nullopt) << path;
  }
  DiskSourceText both({inside, elsewhere.path().string()});
  EXPECT_EQ(both.Line(inside + "/link.cu", 1), "password") << "a folder that was named, too";
}

TEST_F(DiskSourceTextTest, HasNothingForAFolderThatBecomesALinkOnceItsPathIsResolved) {
  support::ScratchFolder elsewhere;
  std::ofstream(elsewhere.path() / "a.cu") << "password\n";
  const std::filesystem::path folder = scratch_.path() / "folder";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "a.cu") << "text\n";
  bool swaps = false;
  const auto resolve = [&](const std::string& path) {
    std::string real = recording::RealPath(path);
    if (swaps) {
      std::filesystem::remove_all(folder);
      std::filesystem::create_directory_symlink(elsewhere.path(), folder);
    }
    return real;
  };
  const std::string file = (folder / "a.cu").string();
  EXPECT_EQ(DiskSourceText({scratch_.path().string()}, resolve).Line(file, 1), "text");
  DiskSourceText sources({scratch_.path().string()}, resolve);
  swaps = true;
  EXPECT_EQ(sources.Line(file, 1), std::nullopt);
}

TEST_F(DiskSourceTextTest, HasNothingForHiddenFilesAndInstalledPackages) {
  for (const char* name : {".git", ".env", "venv/lib/site-packages"}) {
    const std::filesystem::path folder = scratch_.path() / name;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "a.cu") << "text\n";
    EXPECT_EQ(sources_.Line((folder / "a.cu").string(), 1), std::nullopt) << name;
    EXPECT_EQ(DiskSourceText({folder.string()}).Line((folder / "a.cu").string(), 1), "text");
  }
}

TEST_F(DiskSourceTextTest, HasNothingForWhatTheKernelSaysOfThisProcess) {
  DiskSourceText sources({"/proc/self", "/"});
  EXPECT_FALSE(sources.Line("/proc/self/environ", 1).has_value());
  EXPECT_FALSE(sources.LineCount("/proc/self/status").has_value());
}

TEST_F(DiskSourceTextTest, WithoutAFolderNothingIsRead) {
  EXPECT_EQ(DiskSourceText().Line(Write("one\n"), 1), std::nullopt);
}

TEST_F(DiskSourceTextTest, HasNothingForAFileOfSoManyLinesThatTheirPlacesFillTheMemory) {
  EXPECT_EQ(sources_.LineCount(Write(std::string(60 << 20, '\n'))), std::nullopt);
  EXPECT_EQ(DiskSourceText({scratch_.path().string()}).LineCount(Write(std::string(1 << 20, '\n'))),
            1U << 20);
}

TEST_F(DiskSourceTextTest, AnEmptyFileHasNoLines) { EXPECT_EQ(sources_.LineCount(Write("")), 0U); }

}  // namespace
}  // namespace coalcheck::cli

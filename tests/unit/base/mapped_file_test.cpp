// SPDX-License-Identifier: Apache-2.0
//
// Which files are read, and which are as if they were empty.
#include "libcoalcheck/base/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

namespace coalcheck {
namespace {

class MappedFileTest : public ::testing::Test {
 protected:
  MappedFileTest() {
    char folder[] = "/tmp/mapped_file_XXXXXX";
    folder_ = mkdtemp(folder);
    std::ofstream(folder_ + "/file") << "bytes";
    std::ofstream(folder_ + "/empty");
  }
  ~MappedFileTest() override {
    for (const char* name : {"/file", "/empty", "/link", "/pipe"}) unlink((folder_ + name).c_str());
    rmdir(folder_.c_str());
  }
  std::string folder_;
};

TEST_F(MappedFileTest, HoldsTheBytesOfARegularFile) {
  EXPECT_EQ(MappedFile(folder_ + "/file").bytes(), "bytes");
  EXPECT_EQ(MappedFile(folder_ + "/empty").bytes(), "");
}

TEST_F(MappedFileTest, WhatIsNoRegularFileHasNoBytesAndIsNotWaitedFor) {
  ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  for (const char* name : {"/pipe", "/gone", ""}) {
    EXPECT_EQ(MappedFile(folder_ + name).bytes(), "") << name;
  }
}

TEST_F(MappedFileTest, WhyAFileIsNotOpenedIsTold) {
  ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("file", (folder_ + "/link").c_str()), 0);
  EXPECT_EQ(OpenFile(folder_ + "/file").error(), 0);
  EXPECT_EQ(OpenFile(folder_ + "/file").size(), 5U);
  EXPECT_EQ(OpenFile(folder_ + "/file").owner(), geteuid());
  EXPECT_EQ(OpenFile(folder_ + "/gone").error(), ENOENT);
  EXPECT_EQ(OpenFile(folder_).error(), EISDIR);
  EXPECT_EQ(OpenFile("/dev/zero").error(), EINVAL);
  EXPECT_EQ(OpenFile(folder_ + "/link", Links::kRefuse).error(), ELOOP);
  for (const int access : {O_RDONLY, O_WRONLY, O_RDWR}) {
    EXPECT_EQ(OpenFile(folder_ + "/pipe", Links::kRefuse, access).error(), EINVAL) << access;
  }
}

TEST_F(MappedFileTest, LinksAreFollowedUnlessRefused) {
  ASSERT_EQ(symlink("file", (folder_ + "/link").c_str()), 0);
  EXPECT_EQ(MappedFile(folder_ + "/link").bytes(), "bytes");
  EXPECT_EQ(MappedFile(folder_ + "/link", Links::kRefuse).bytes(), "");
}

}  // namespace
}  // namespace coalcheck

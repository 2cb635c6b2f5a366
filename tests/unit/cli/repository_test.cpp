// SPDX-License-Identifier: Apache-2.0
//
// A repository is its author's: a link in it may lead anywhere, and is not followed out of it.
#include "cli/base/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/base/foreign_file.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::cli {
namespace {

using support::ScratchFolder;
using ::testing::HasSubstr;

std::string LinkIn(const std::string& path) { return WayOf(path).link; }

class Repository : public ::testing::Test {
 protected:
  Repository() {
    std::filesystem::create_directories(root() / "checkout/.git");
    std::filesystem::create_directories(root() / "checkout/src/deep");
    std::filesystem::create_directories(root() / "home/keys");
  }
  std::filesystem::path root() const { return scratch_.path(); }
  std::filesystem::path Link(const char* name, const char* to) const {
    std::filesystem::create_symlink(to, root() / name);
    return root() / name;
  }

 private:
  const ScratchFolder scratch_;
};

TEST_F(Repository, ALinkThatLeadsOutOfItIsFoundWhereverItStandsInThePath) {
  const std::string link = Link("checkout/out", "../home").string();
  EXPECT_EQ(LinkIn(link), link);
  EXPECT_EQ(LinkIn(link + "/keys/config"), link);
  EXPECT_EQ(LinkIn(link + "/not there"), link);
  EXPECT_THAT(WhyOutOfRepository(link + "/keys"), HasSubstr((root() / "home").string()));
}

TEST_F(Repository, ALinkThatStaysInItIsAnyPath) {
  EXPECT_EQ(LinkIn(Link("checkout/also", "src/deep").string()), "");
  EXPECT_EQ(LinkIn((root() / "checkout/also/file").string()), "");
}

TEST_F(Repository, WhereAPathLeadsHasNoLinkAndNoDots) {
  Link("checkout/also", "src/deep");
  const std::string deep = (root() / "checkout/src/deep").string();
  EXPECT_EQ(WayOf((root() / "checkout/src/../src/./deep/").string()).real, deep);
  EXPECT_EQ(WayOf((root() / "checkout/also/../deep").string()).real, deep);
  EXPECT_EQ(WayOf((root() / "checkout/also").string()).real, deep);
}

TEST_F(Repository, OutsideOfOneALinkIsTheUsers) {
  EXPECT_EQ(LinkIn(Link("mine", "home/keys").string()), "");
  // One that leads into a repository does not make it a link of that.
  EXPECT_EQ(LinkIn(Link("sources", "checkout").string() + "/src"), "");
}

TEST_F(Repository, NothingIsWrittenThroughALinkThatLeadsOutOfIt) {
  Link("checkout/reports", "../home/keys");
  std::ofstream(root() / "home/keys/config") << "years of work";
  std::ofstream stream = OpenNoLink((root() / "checkout/reports/config").string());
  EXPECT_FALSE(stream.good());
  EXPECT_EQ(ReadFile((root() / "home/keys/config").string(), 100).value_or(""), "years of work");
  EXPECT_TRUE(OpenNoLink((root() / "checkout/src/report").string()).good());
}

}  // namespace
}  // namespace coalcheck::cli

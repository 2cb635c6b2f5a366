// SPDX-License-Identifier: Apache-2.0
//
// Whose accesses are judged, and that nothing is lost between the judged and the others.
#include "libcoalcheck/findings/places/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// One kernel for each place that a line can lie in, each with one load of 32 sectors of which 4
// would do.
class ScopeTest : public ::testing::Test {
 protected:
  void Add(const std::string& kernel, std::vector<cubin::SourceFrame> frames) {
    cubin::Function& function = code_.Add(kCubin, kernel);
    function.has_lines = !frames.empty();
    function.accesses = {MakeAccess(16, AccessKind::kLoad, std::move(frames))};
    run_.windows.push_back(
        MakeWindow(run_.windows.size() + 1, kernel, {MakeRow(16, ++requests_, 32, 4)}));
  }
  void AddUsers() { Add("user", {{"user", kSource, 1}}); }
  void AddLibraries() {
    Add("bare", {});
    Add("elsewhere", {{"elsewhere", "/src/other/b.cu", 1}});
    Add("toolkit", {{"toolkit", "/usr/local/cuda/include/t.h", 1}});
    Add("installed", {{"installed", "/src/app/venv/site-packages/p.cuh", 1}});
  }
  Report Make(Scope scope = Scope::kUser) {
    return ReportOn({run_}, code_, sources_, {}, kDefaultMinWastedShare, scope);
  }
  static std::vector<std::string> Findings(const Report& report) {
    std::vector<std::string> kernels;
    for (const Access& access : report.accesses) {
      if (access.is_finding) kernels.push_back(access.kernel);
    }
    std::ranges::sort(kernels);
    return kernels;
  }

  FakeCode code_;
  FakeSources sources_;
  recording::RecordedRun run_ = MakeRun();
  std::uint64_t requests_ = 0;
};

TEST_F(ScopeTest, OnlyAccessesUnderTheSourceRootAreFindings) {
  AddUsers();
  AddLibraries();
  const Report report = Make();
  EXPECT_EQ(report.scope, Scope::kUser);
  EXPECT_THAT(Findings(report), ElementsAre("user"));
  EXPECT_THAT(report.accesses, SizeIs(5)) << "the others are there all the same";
  EXPECT_TRUE(report.places[0].in_scope);
  EXPECT_FALSE(report.places[1].in_scope);
}

TEST_F(ScopeTest, AnAccessWithAUsersLineAnywhereInItsChainIsTheUsers) {
  Add("thrust", {{"load", "/usr/local/cuda/include/thrust/t.h", 7},
                 {"lambda", kSource, 3},
                 {"thrust", "/usr/local/cuda/include/thrust/agent.h", 9}});
  AddLibraries();
  EXPECT_THAT(Findings(Make()), ElementsAre("thrust"));
}

TEST_F(ScopeTest, WithScopeAllEverythingIsJudged) {
  AddUsers();
  AddLibraries();
  const Report report = Make(Scope::kAll);
  EXPECT_EQ(report.scope, Scope::kAll);
  EXPECT_THAT(Findings(report), ElementsAre("bare", "elsewhere", "installed", "toolkit", "user"));
  EXPECT_EQ(LibraryCodeOf(report).accesses, 0U);
}

// A program compiled without -lineinfo must not pass for clean.
TEST_F(ScopeTest, WhereNothingLiesUnderTheRootEverythingIsJudged) {
  AddLibraries();
  const Report report = Make();
  EXPECT_EQ(report.scope_asked, Scope::kUser);
  EXPECT_EQ(report.scope, Scope::kAll);
  EXPECT_THAT(Findings(report), ElementsAre("bare", "elsewhere", "installed", "toolkit"));
}

TEST_F(ScopeTest, ACleanAccessUnderTheRootIsEnoughToKeepTheScope) {
  AddUsers();
  run_.windows[0].functions[0].rows = {MakeRow(16, 1, 4, 4)};
  AddLibraries();
  const Report report = Make();
  EXPECT_EQ(report.scope, Scope::kUser);
  EXPECT_THAT(Findings(report), ElementsAre());
}

TEST_F(ScopeTest, LibraryCodeAndTheJudgedAddUpToAllThatWasRecorded) {
  AddUsers();
  AddLibraries();
  run_.windows.push_back(MakeWindow(99, "lost", {MakeRow(16, 1, 4, 4)}, std::nullopt));
  const Report report = Make();
  const LibraryCode library = LibraryCodeOf(report);
  EXPECT_EQ(library.accesses, 4U);
  EXPECT_EQ(library.kernels, 4U);
  EXPECT_EQ(library.kernels_without_lines, 1U);
  EXPECT_EQ(library.sectors, Sectors((2 + 3 + 4 + 5) * 32));
  EXPECT_EQ(library.Wasted(), Sectors((2 + 3 + 4 + 5) * 28));
  Sectors sum = library.sectors;
  for (const Access& access : report.accesses) {
    if (access.in_scope) sum += access.counts.sectors;
  }
  for (const Unattributed& row : report.unattributed) sum += row.counts.sectors;
  EXPECT_EQ(sum, report.sectors);
}

}  // namespace
}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// Kernels that were once explained wrongly: what the report says of them, held against what the
// host counts, lane by lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "libcoalcheck/findings/sources/stored_code.h"
#include "tests/support/files.h"
#include "tests/unit/findings/fakes.h"
#include "tests/unit/findings/host_twins.h"

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;

// fixtures/twins.cu as PTX; empty without nvcc.
std::string TwinsPtx() {
  return support::FileText(std::string(COALCHECK_TWINS_DIR) + "/twins.ptx");
}

class TwinStore : public CubinStore {
 public:
  explicit TwinStore(std::string text) : text_(std::move(text)), id_(HashCubin(text_)) {}
  absl::StatusOr<std::string> Load(CubinId) override { return text_; }
  const std::string& text() const { return text_; }
  CubinId id() const { return id_; }

 private:
  std::string text_;
  CubinId id_;
};

// The report on one launch of a twin, whose counts are the host's.
class TwinReport {
 public:
  explicit TwinReport(const std::string& kernel) : store_(TwinsPtx()) {
    const TwinLaunch launch;
    const Twin twin = TwinOf(kernel);
    counts_ = CountOnHost(twin, launch);
    recording::Window window = MakeWindow(1, kernel, Rows(kernel), store_.id());
    recording::LaunchesInside& inside = window.inside[0];
    inside.shape.grid.x = launch.blocks;
    inside.shape.block.x = launch.threads;
    inside.arguments.push_back(
        {Launches(1), Bytes(0), {}, Bytes(twin.arguments.size()), twin.arguments});
    recording::RecordedRun run = MakeRun();
    run.windows = {window};
    StoredCode code({&store_});
    FakeSources sources;
    report_ = ReportOn({run}, code, sources, {}, kDefaultMinWastedShare, Scope::kAll);
  }

  // The first one of that kind in the text, and so on.
  const Access& Of(AccessKind kind, std::size_t number = 0) const {
    std::vector<const Access*> all;
    for (const Access& one : report_.accesses) {
      if (one.kind == kind) all.push_back(&one);
    }
    std::ranges::sort(all, {}, [](const Access* one) { return one->chain.front().line; });
    return *all.at(number);
  }
  const Access& Load(std::size_t number = 0) const { return Of(AccessKind::kLoad, number); }

 private:
  std::vector<recording::CountRow> Rows(const std::string& kernel) {
    const cubin::Cubin code = *cubin::Cubin::ParseCode(store_.text());
    std::map<std::pair<std::uint32_t, AccessKind>, std::size_t> seen;
    std::vector<recording::CountRow> rows;
    for (const cubin::GlobalAccess& access : code.FindFunction(kernel)->accesses) {
      const std::uint32_t line = access.frames.front().line;
      const auto counted = counts_.find(TwinAccess(line, access.kind, seen[{line, access.kind}]++));
      if (counted == counts_.end()) continue;
      const Counts& counts = counted->second.direct;
      rows.push_back({access.pc,
                      {counts.requests.count(), counts.lanes.count(), 0, 0, counts.sectors.count(),
                       counts.ideal.count(), counts.lines.count()}});
    }
    EXPECT_EQ(rows.size(), counts_.size()) << "the compiler left out an access";
    return rows;
  }

  TwinStore store_;
  std::map<TwinAccess, RawCounts> counts_;
  Report report_;
};

std::string PatternOf(const Access& access) {
  std::string text;
  for (const patterns::Share& share : access.patterns) {
    text += (text.empty() ? "" : " / ") + patterns::ShortForm(share.pattern.candidates);
  }
  return text;
}

std::string StandingOf(const Access& access) {
  return std::string(ToString(access.instructions.front().standing.value()));
}

#define SKIP_WITHOUT_NVCC() \
  if (TwinsPtx().empty()) GTEST_SKIP() << "there is no nvcc"

TEST(HostTwin, AFieldWhoseNeighboursAreNeverReadIsNotOfAStructureThatIsUsedWhole) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("uses_one_field_of_four");
  EXPECT_EQ(PatternOf(report.Load()), "strided:16");
  EXPECT_EQ(StandingOf(report.Load()), "confirmed");
}

TEST(HostTwin, ARowWhoseBeginningIsLoadedIsNotScattered) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("follows_rows");
  EXPECT_EQ(PatternOf(report.Load(1)), "misaligned:4-28");
  EXPECT_EQ(StandingOf(report.Load(1)), "decided_by_data");
}

TEST(HostTwin, RunsWhoseBeginningsAreLoadedAreNotScattered) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("follows_runs");
  EXPECT_EQ(PatternOf(report.Load(1)), "runs:8");
  EXPECT_EQ(StandingOf(report.Load(1)), "decided_by_data");
}

TEST(HostTwin, WhatHalfOfAWarpHearsIsNotTheSameForAllOfIt) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("asks_half_of_a_warp");
  EXPECT_EQ(PatternOf(report.Load()), "unknown");
  EXPECT_EQ(StandingOf(report.Load()), "confirmed");
}

TEST(HostTwin, AnIndexOutOfMemoryOfTheThreadsOwnIsNotTheSameForAllLanes) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("keeps_indices_of_its_own");
  EXPECT_EQ(PatternOf(report.Load()), "strided:20");
  EXPECT_EQ(StandingOf(report.Load()), "confirmed");
}

TEST(HostTwin, FirstBitsAndRootsGiveTheSectorsThatTheHostCounts) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("takes_first_bits_and_roots");
  EXPECT_EQ(StandingOf(report.Load(0)), "confirmed");
  EXPECT_EQ(StandingOf(report.Load(1)), "confirmed");
}

TEST(HostTwin, OfWarpsOfTwoStepsTheOneThatWastesIsNamedAndNoStepBetween) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("steps_by_warp");
  EXPECT_EQ(PatternOf(report.Load()), "strided:12");
  EXPECT_EQ(StandingOf(report.Load()), "confirmed");
}

TEST(HostTwin, ALineIsJudgedByItsWorstLoad) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("adds_three");
  EXPECT_EQ(report.Load().instructions.size(), 3U);
  EXPECT_TRUE(report.Load().is_finding) << report.Load().decision;
  EXPECT_LT(report.Load().counts.WastedShare(), kDefaultMinWastedShare);
}

TEST(HostTwin, APointerThatAFlagChoosesIsOneArray) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("chooses_an_array");
  EXPECT_EQ(PatternOf(report.Load()), "coalesced");
  EXPECT_EQ(StandingOf(report.Load()), "confirmed");
  EXPECT_EQ(report.Load().instructions[0].address_text.expression.find("1073741824"),
            std::string::npos);
}

TEST(HostTwin, ADivisionByMultiplicationHasRowsOfThree) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("divides_by_three");
  EXPECT_EQ(PatternOf(report.Load()), "broadcast:3");
  EXPECT_EQ(StandingOf(report.Load()), "confirmed");
}

TEST(HostTwin, ARingIsConsecutiveButWhereItBeginsAgain) {
  SKIP_WITHOUT_NVCC();
  const TwinReport report("goes_round_a_ring");
  EXPECT_EQ(PatternOf(report.Load()), "coalesced,runs:24");
  EXPECT_EQ(StandingOf(report.Load()), "confirmed");
}

}  // namespace
}  // namespace coalcheck::findings

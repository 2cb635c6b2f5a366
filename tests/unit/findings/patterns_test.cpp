// SPDX-License-Identifier: Apache-2.0
//
// Patterns of whole accesses: launches that differ are told apart, and add up.
#include <gtest/gtest.h>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

using patterns::ShortForm;

// A load on line 2 of kernel "k", counted in the given windows.
class Patterns : public testing::Test {
 protected:
  Patterns() {
    code_.Add(kCubin, "k").accesses = {
        MakeAccess(16, cubin::AccessKind::kLoad, {{"k", kSource, 2}})};
  }

  // `requests` full ones that touch so many sectors in so many lines.
  void AddWindow(std::uint64_t requests, std::uint64_t sectors, std::uint64_t lines,
                 recording::Dim3 block = {}) {
    recording::Window window = MakeWindow(
        run_.windows.size() + 1, "k",
        {{PcOffset(16),
          {requests, requests * 32, 0, 0, requests * sectors, requests * 4, requests * lines}}});
    window.inside[0].shape.block = block;
    run_.windows.push_back(std::move(window));
  }

  std::vector<patterns::Share> Shares() {
    return ReportOn({run_}, code_, sources_).accesses.at(0).patterns;
  }

  FakeCode code_;
  FakeSources sources_;
  recording::RecordedRun run_ = MakeRun();
};

TEST_F(Patterns, EqualLaunchesShowOne) {
  AddWindow(1500, 16, 4);
  AddWindow(2000, 16, 4);
  const auto shares = Shares();
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(ShortForm(shares[0].pattern.candidates), "strided|struct_field|padded_struct:16");
  EXPECT_EQ(shares[0].counts.requests, Requests(3500));
}

TEST_F(Patterns, LaunchesThatDifferShowTheirShares) {
  AddWindow(1500, 4, 1);
  AddWindow(1500, 32, 32);
  const auto shares = Shares();
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_NE(shares[0].pattern.Find(patterns::Pattern::kStrided), nullptr);
  EXPECT_EQ(shares[0].counts.sectors, Sectors(48000));
  EXPECT_EQ(ShortForm(shares[1].pattern.candidates), "coalesced");
}

TEST_F(Patterns, TheBlockNamesRunsThatDivideNoWarp) {
  for (int launch = 0; launch < 2; ++launch) AddWindow(3000, 5, 3, {12, 8, 1});
  const auto shares = Shares();
  ASSERT_EQ(shares.size(), 1U);
  ASSERT_NE(shares[0].pattern.Find(patterns::Pattern::kRuns), nullptr);
  EXPECT_TRUE(shares[0].pattern.Find(patterns::Pattern::kRuns)->parameter.Contains(12));
}

TEST_F(Patterns, ManyKindsOfLaunchesLoseNoSector) {
  Sectors sectors;
  for (std::uint64_t i = 0; i < 50; ++i) {
    AddWindow(1000 + i, 4 + i % 29, 4 + i % 13, {static_cast<std::uint32_t>(32 + i % 11), 1, 1});
    sectors += Sectors((1000 + i) * (4 + i % 29));
  }
  Sectors kept;
  for (const patterns::Share& share : Shares()) kept += share.counts.sectors;
  EXPECT_EQ(kept, sectors);
}

TEST_F(Patterns, WithoutTheCountersItIsUnknown) {
  run_.header.counters = {"sectors", "ideal_sectors"};
  run_.windows = {MakeWindow(1, "k", {{PcOffset(16), {32, 4}}})};
  const auto shares = Shares();
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_TRUE(shares[0].pattern.Is(patterns::Pattern::kUnknown));
}

}  // namespace
}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// Every instruction of the compiled fixtures gets the inline chain that its PTX has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/unit/cubin/fixtures.h"
#include "tests/unit/cubin/ptx_locations.h"

namespace coalcheck::cubin {
namespace {

std::string Text(const std::vector<PtxFrame>& chain) {
  std::string text;
  for (const PtxFrame& frame : chain) {
    text += "  " + frame.file + ":" + std::to_string(frame.line) + " " + frame.function + "\n";
  }
  return text;
}

// Our chain in the oracle's form: the function that is not inlined has no name there.
std::vector<PtxFrame> Ours(const GlobalAccess& at, const Function& function) {
  std::vector<PtxFrame> chain;
  for (const SourceFrame& frame : at.frames) {
    const bool outermost = frame.function == function.name;
    chain.push_back(
        {outermost ? "" : std::string(frame.function), std::string(frame.file), frame.line});
  }
  return chain;
}

// How many instructions of a cubin have the chain of its PTX.
struct Agreement {
  std::size_t all = 0;
  std::size_t same = 0;
  std::size_t accesses = 0;
};

// ptxas starts no row where an inlined line stays the same and only its caller changes. Where the
// PTX blocks cannot put that right either, only the callers differ, and never those of a global
// access.
void ExpectExplained(const std::vector<PtxFrame>& expected, const std::vector<PtxFrame>& ours,
                     const std::string& where) {
  ASSERT_FALSE(ours.empty()) << where;
  EXPECT_EQ(expected.front().file, ours.front().file) << where;
  EXPECT_EQ(expected.front().line, ours.front().line) << where;
}

// The texts that ptxas made the cubin `stem`_`sm` from: linked code has one per translation unit.
std::vector<PtxLocations> ReadPtx(const std::string& stem, const std::string& sm) {
  if (stem != "linked") return {PtxLocations(ReadFixture(stem + "_" + sm + ".cubin.ptx"))};
  return {PtxLocations(ReadFixture("linked_a_" + sm + ".cubin.ptx")),
          PtxLocations(ReadFixture("linked_b_" + sm + ".cubin.ptx"))};
}

Agreement Compare(const std::string& stem, const std::string& sm) {
  const std::string name = stem + "_" + sm + ".cubin";
  const AllInstructions cubin(ReadFixture(name));
  const absl::StatusOr<Cubin> parsed = Cubin::Parse(ReadFixture(name));
  const std::vector<PtxLocations> texts = ReadPtx(stem, sm);
  Agreement agreement;
  for (const Function& function : cubin.functions) {
    const Function* real = parsed.ok() ? parsed->FindFunction(function.name) : nullptr;
    const auto text = std::find_if(texts.begin(), texts.end(), [&](const PtxLocations& each) {
      return each.Defines(function.name);
    });
    if (text == texts.end()) {
      ADD_FAILURE() << name << ": no PTX defines " << function.name;
      continue;
    }
    const PtxLocations& oracle = *text;
    for (const GlobalAccess& at : function.accesses) {
      const std::vector<PtxFrame> expected = oracle.ChainAt(at.ptx_line);
      if (expected.empty()) continue;
      const std::vector<PtxFrame> ours = Ours(at, function);
      const std::string where = name + " " + std::string(function.name) + " pc " +
                                std::to_string(at.pc.value()) + " " + std::string(at.ptx);
      ++agreement.all;
      if (expected == ours) ++agreement.same;
      if (const GlobalAccess* access = real ? Cubin::FindAccess(*real, at.pc) : nullptr) {
        ++agreement.accesses;
        EXPECT_EQ(Text(expected), Text(Ours(*access, function))) << where;
      }
      ExpectExplained(expected, ours, where);
    }
  }
  return agreement;
}

class PtxOracle : public testing::TestWithParam<const char*> {};

TEST_P(PtxOracle, GivesEveryAccessTheSameChain) {
  if (!WhyNoFixtures().empty()) GTEST_SKIP() << WhyNoFixtures();
  for (const std::string& sm : FixtureArchitectures()) {
    const Agreement agreement = Compare(GetParam(), sm);
    std::printf("%s_%s: all %zu accesses, and %zu of %zu instructions, have the chain of the PTX\n",
                GetParam(), sm.c_str(), agreement.accesses, agreement.same, agreement.all);
    EXPECT_GT(agreement.accesses, 0U);
    EXPECT_GE(agreement.same * 100, agreement.all * 95);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, PtxOracle,
                         testing::Values("inlined", "widths", "templates", "calls", "linked"),
                         [](const auto& fixture) { return std::string(fixture.param); });

}  // namespace
}  // namespace coalcheck::cubin

// SPDX-License-Identifier: Apache-2.0
//
// Which instruction of a line is its worst.
#include "libcoalcheck/findings/places/worst_part.h"

#include <gtest/gtest.h>

#include <string>

namespace coalcheck::findings {
namespace {

class Line {
 public:
  // `requests` of `sectors` each where four would do.
  Line& With(const std::string& ptx, std::uint64_t requests, std::uint64_t sectors) {
    Instruction one;
    one.pc = PcOffset(static_cast<std::uint32_t>(16 * access.instructions.size()));
    one.ptx = ptx;
    one.counts = {Requests(requests), Lanes(32 * requests), Sectors(sectors * requests),
                  Sectors(4 * requests), CacheLines(requests)};
    access.counts += one.counts;
    access.instructions.push_back(std::move(one));
    return *this;
  }
  Access access;
};

TEST(WorstPart, OfALineIsTheLoadThatTheSumHides) {
  const Line line = Line().With("ld a", 100, 4).With("ld b", 100, 4).With("ld c", 100, 5);
  const auto worst = WorstPartOf(line.access);
  ASSERT_TRUE(worst.has_value());
  EXPECT_EQ(worst->of, 3U);
  EXPECT_DOUBLE_EQ(worst->counts.WastedShare(), 0.2);
  EXPECT_DOUBLE_EQ(WorstWastedShare(line.access), 0.2);
}

TEST(WorstPart, IsNoneWhereAllAreAlike) {
  EXPECT_FALSE(WorstPartOf(Line().With("ld a", 9, 5).With("ld b", 9, 5).access).has_value());
  EXPECT_FALSE(WorstPartOf(Line().With("ld a", 9, 5).access).has_value());
  EXPECT_DOUBLE_EQ(WorstWastedShare(Line().With("ld a", 9, 5).access), 0.2);
}

TEST(WorstPart, AddsUpTheCopiesOfAnUnrolledInstruction) {
  EXPECT_FALSE(WorstPartOf(Line().With("ld a", 9, 4).With("ld a", 9, 5).access).has_value());
  EXPECT_TRUE(WorstPartOf(Line().With("", 9, 4).With("", 9, 5).access).has_value());
}

TEST(WorstPart, IsNotTheRestAtTheEndOfALoop) {
  EXPECT_FALSE(WorstPartOf(Line().With("ld a", 100, 4).With("ld rest", 5, 32).access).has_value());
  EXPECT_TRUE(WorstPartOf(Line().With("ld a", 95, 4).With("ld rest", 5, 32).access).has_value());
}

}  // namespace
}  // namespace coalcheck::findings

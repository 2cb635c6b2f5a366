// SPDX-License-Identifier: Apache-2.0
//
// Names, units and short forms of the patterns.
#include "libcoalcheck/patterns/pattern.h"

#include <gtest/gtest.h>

#include <set>

namespace coalcheck::patterns {
namespace {

TEST(Pattern, EveryOneHasANameOfItsOwnThatLeadsBack) {
  std::set<std::string_view> names;
  for (int i = 0; i < kPatterns; ++i) {
    const auto pattern = static_cast<Pattern>(i);
    names.insert(ToString(pattern));
    EXPECT_EQ(PatternFromString(ToString(pattern)), pattern);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kPatterns));
  EXPECT_EQ(PatternFromString("stride"), std::nullopt);
}

TEST(Pattern, RangesMeetWhereTheyShareAValueAndGrowToHoldBoth) {
  ParameterRange range{36, 40};
  EXPECT_TRUE(range.Meets({40, 44}));
  EXPECT_FALSE(range.Meets({44, 48}));
  EXPECT_TRUE(range.Meets({4, std::nullopt}));
  EXPECT_FALSE(range.Meets({128, std::nullopt}));
  range.Include({44, 48});
  EXPECT_EQ(range, (ParameterRange{36, 48}));
  range.Include({128, std::nullopt});
  EXPECT_FALSE(range.high);
  EXPECT_TRUE(range.Contains(1U << 20));
  EXPECT_FALSE(range.Contains(35));
}

TEST(Pattern, ShortFormsJoinPatternsOfOneParameter) {
  EXPECT_EQ(ShortForm({{Pattern::kCoalesced, {0, 0}}}), "coalesced");
  EXPECT_EQ(ShortForm({{Pattern::kMisaligned, {4, 28}}}), "misaligned:4-28");
  EXPECT_EQ(ShortForm({{Pattern::kRuns, {2, 2}},
                       {Pattern::kStrided, {128, std::nullopt}},
                       {Pattern::kStructField, {128, std::nullopt}},
                       {Pattern::kScattered, {0, 0}}}),
            "runs:2,strided|struct_field:128+,scattered");
  EXPECT_EQ(ShortForm({{Pattern::kCoalesced, {0, 0}}, {Pattern::kRuns, {8, 8}}}),
            "coalesced,runs:8");
}

}  // namespace
}  // namespace coalcheck::patterns

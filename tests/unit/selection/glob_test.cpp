// SPDX-License-Identifier: Apache-2.0
//
// Wildcards mean what they do in file names, and stay fast.
#include "libcoalcheck/selection/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace coalcheck::selection {
namespace {

using ::testing::HasSubstr;

bool Matches(std::string_view pattern, std::string_view name) {
  return Glob::Parse(pattern).value().Matches(name);
}

TEST(Glob, WithoutAWildcardIsTheWholeName) {
  EXPECT_TRUE(Matches("step", "step"));
  EXPECT_FALSE(Matches("step", "steps"));
  EXPECT_FALSE(Matches("step", "a step"));
  EXPECT_TRUE(Matches("", ""));
}

TEST(Glob, AStarIsAnyTextAndAQuestionMarkOneCharacter) {
  EXPECT_TRUE(Matches("a*b*c", "abcabc"));
  EXPECT_FALSE(Matches("a*b*c", "abcab"));
  EXPECT_TRUE(Matches("*", ""));
  EXPECT_TRUE(Matches("k?", "k1"));
  EXPECT_FALSE(Matches("k?", "k"));
}

TEST(Glob, ASetIsOneOfItsCharactersOrWithAMarkOneOutside) {
  EXPECT_TRUE(Matches("k[0-9a_]", "k7"));
  EXPECT_TRUE(Matches("k[0-9a_]", "k_"));
  EXPECT_FALSE(Matches("k[0-9a_]", "kb"));
  EXPECT_TRUE(Matches("k[!0-9]", "kb"));
  EXPECT_FALSE(Matches("k[^0-9]", "k7"));
  EXPECT_TRUE(Matches("[]-]x", "]x"));
  EXPECT_TRUE(Matches("[]-]x", "-x"));
  EXPECT_TRUE(Matches("[\\[\\]]x", "[x"));
  EXPECT_TRUE(Matches("[\\[\\]]x", "]x"));
}

TEST(Glob, ABracketThatOpensNoSetIsItself) {
  EXPECT_TRUE(Matches("a[1", "a[1"));
  EXPECT_TRUE(Matches("a]", "a]"));
  EXPECT_TRUE(Matches("a[b[0-9]", "a[b5"));
}

TEST(Glob, ABackslashTakesTheNextCharacterAsItIs) {
  EXPECT_TRUE(Matches("\\*\\?\\\\", "*?\\"));
  EXPECT_FALSE(Matches("\\*", "a"));
  EXPECT_THAT(Glob::Parse("a\\").error(), HasSubstr("ends in a backslash"));
}

TEST(Glob, ACharacterClassIsRefusedBecauseItWouldMeanSomethingElse) {
  EXPECT_THAT(Glob::Parse("k[[:digit:]]").error(), HasSubstr("[0-9]"));
}

TEST(Glob, ManyStarsTakeNoLongerThanNameTimesPattern) {
  std::string pattern;
  for (int i = 0; i < 2000; ++i) pattern += "*a";
  EXPECT_FALSE(Matches(pattern + "b", std::string(kLongestName, 'a')));
  EXPECT_TRUE(Matches(pattern, std::string(kLongestName, 'a')));
}

}  // namespace
}  // namespace coalcheck::selection

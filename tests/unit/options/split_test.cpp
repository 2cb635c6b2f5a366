// SPDX-License-Identifier: Apache-2.0
//
// COALCHECK_OPTIONS is split into words as a shell would.
#include "libcoalcheck/options/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/base/shell_word.h"

namespace coalcheck::options {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SplitLikeShell, BlanksSeparateWords) {
  EXPECT_THAT(SplitLikeShell(" a\tb  c ").value(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(SplitLikeShell("  ").value(), IsEmpty());
}

TEST(SplitLikeShell, ColonsAndEqualSignsAreNoSeparators) {
  EXPECT_THAT(SplitLikeShell("--sampling every:10 --kernel=at::native").value(),
              ElementsAre("--sampling", "every:10", "--kernel=at::native"));
}

TEST(SplitLikeShell, QuotesKeepBlanksAndMayBeEmpty) {
  EXPECT_THAT(SplitLikeShell("a' b 'c \"d \\\" e\" ''").value(),
              ElementsAre("a b c", "d \" e", ""));
}

TEST(SplitLikeShell, BackslashTakesTheNextCharacterLiterally) {
  EXPECT_THAT(SplitLikeShell("a\\ b '\\n'").value(), ElementsAre("a b", "\\n"));
}

TEST(SplitLikeShell, AnUnclosedQuoteIsAnError) {
  EXPECT_THAT(SplitLikeShell("a 'b").error(), HasSubstr("never closed"));
  EXPECT_THAT(SplitLikeShell("a \"b\\").error(), HasSubstr("never closed"));
  EXPECT_THAT(SplitLikeShell("a \\").error(), HasSubstr("backslash"));
}

TEST(QuoteForShell, WhateverIsQuotedComesBackAsOneWord) {
  for (const std::string word : {"", "plain", "a b", "it's", "'", "\"$x\" \\ %p", "a\nb"}) {
    EXPECT_THAT(SplitLikeShell(QuoteForShell(word)).value(), ElementsAre(word)) << word;
  }
}

}  // namespace
}  // namespace coalcheck::options

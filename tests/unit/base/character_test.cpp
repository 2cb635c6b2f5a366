// SPDX-License-Identifier: Apache-2.0
//
// Characters that nobody sees.
#include "libcoalcheck/base/character.h"

#include <gtest/gtest.h>

#include <string>

namespace coalcheck {
namespace {

bool IsHidden(const std::string& character) {
  EXPECT_EQ(CharacterLength(character), character.size());
  return coalcheck::IsHidden(CodePoint(character));
}

TEST(Character, ThatShowsNothingOfItselfIsHidden) {
  for (const std::string one :
       {"\t", "\x7f", "\u0085", "\u00AD", "\u061C", "\u200B", "\u200D", "\u202E", "\u2028",
        "\u2060", "\u2800", "\u0600", "\uFE0F", "\uFEFF", "\U00013430", "\U000E0041"}) {
    EXPECT_TRUE(IsHidden(one)) << one;
  }
}

TEST(Character, OfAnyAlphabetIsNot) {
  for (const std::string one :
       {" ", "~", "\u00A0", "\u00E9", "\u202F", "\u2026", "\uFFFD", "\U0001F600", "\U0010FFFD"}) {
    EXPECT_FALSE(IsHidden(one)) << one;
  }
}

}  // namespace
}  // namespace coalcheck

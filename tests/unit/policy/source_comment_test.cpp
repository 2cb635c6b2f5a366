// SPDX-License-Identifier: Apache-2.0
//
// Which comments suppress, and what is said of those that nearly do.
#include "libcoalcheck/policy/source_comment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/linear_time.h"

namespace coalcheck::policy {
namespace {

using ::testing::HasSubstr;

TEST(SourceComment, HasAReasonAndMayEnd) {
  const auto read =
      ReadSourceComment("  p[4*i] = 1;  // coalcheck: ignore[ too small ] until=2027-01-31");
  ASSERT_TRUE(read.ok() && read.value());
  EXPECT_EQ(read.value()->reason, "too small");
  EXPECT_EQ(read.value()->until, DateFromText("2027-01-31"));
  EXPECT_FALSE(read.value()->alone);
}

TEST(SourceComment, AloneOnItsLineItIsAboutTheNext) {
  const auto read = ReadSourceComment("    /* coalcheck: ignore[why] */");
  ASSERT_TRUE(read.ok() && read.value());
  EXPECT_TRUE(read.value()->alone);
  EXPECT_FALSE(read.value()->until);
}

TEST(SourceComment, OtherCommentsAreNone) {
  for (const char* line : {"", "x; // ignore[this]", "// see coalcheck: it is good", "/", "//"}) {
    const auto read = ReadSourceComment(line);
    EXPECT_TRUE(read.ok() && !read.value()) << line;
  }
}

TEST(SourceComment, AForgottenColonIsAMistakeAndASentenceIsNone) {
  for (const char* line :
       {"x = 1;  // coalcheck ignore[later]", "/* coalcheck  ignore[later] */"}) {
    const auto comment = ReadSourceComment(line);
    ASSERT_FALSE(comment.ok()) << line;
    EXPECT_THAT(comment.error(), testing::HasSubstr("// coalcheck: ignore[why]"));
  }
  EXPECT_TRUE(ReadSourceComment("// coalcheck ignores this").ok());
}

TEST(SourceComment, MayBeALaunchToPredictFor) {
  for (const char* line :
       {"k();  // coalcheck: block=32x8 n=-7", "/* coalcheck: block=32x8 n=-7 */",
        "// of two // coalcheck:\tblock=32x8 n=-7\r"}) {
    const auto read = ReadSourceComment(line);
    ASSERT_TRUE(read.ok() && read.value()) << line;
    EXPECT_EQ(read.value()->launch, "block=32x8 n=-7");
  }
}

TEST(SourceComment, AMistakeInASuppressionIsNoLaunch) {
  for (const char* line :
       {"// coalcheck: until=2027-01-31 ignore[why]", "// coalcheck: ignore=why",
        "// coalcheck: block=32 ignore[why]", "// coalcheck: n=1[why]", "// coalcheck: until=5"}) {
    EXPECT_FALSE(ReadSourceComment(line).ok()) << line;
  }
}

TEST(SourceComment, IsRefusedWhereItWouldFillAMessage) {
  const auto read = ReadSourceComment("// coalcheck: " + std::string(100'000, 'x') + "=x");
  ASSERT_FALSE(read.ok());
  EXPECT_LT(read.error().size(), 100U);
}

TEST(SourceComment, IsLookedForInTimeThatGrowsWithTheLine) {
  support::ExpectLinearTime(100'000, [](std::size_t n) {
    for (const char* opening : {"//", "/*", "// coalcheck "}) {
      std::string line;
      while (line.size() < n) line += opening;
      EXPECT_TRUE(ReadSourceComment(line + std::string(n, ' ')).ok());
    }
  });
}

TEST(SourceComment, MistakesAreNamed) {
  EXPECT_THAT(ReadSourceComment("// coalcheck: ignore").error(), HasSubstr("needs a reason"));
  EXPECT_THAT(ReadSourceComment("// coalcheck: ignore[ ]").error(), HasSubstr("needs a reason"));
  EXPECT_THAT(ReadSourceComment("// coalcheck: ignore[a").error(), HasSubstr("needs a reason"));
  EXPECT_THAT(ReadSourceComment("// coalcheck: igonre[a]").error(), HasSubstr("ignore[why]"));
  EXPECT_THAT(ReadSourceComment("// coalcheck: ignore[a] until=tomorrow").error(),
              HasSubstr("until=YYYY-MM-DD"));
}

}  // namespace
}  // namespace coalcheck::policy

// SPDX-License-Identifier: Apache-2.0
//
// The grammar of `expect:` comments, and that no mistake in one goes unnoticed.
#include "tests/support/expectation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::support {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Expectation> Parsed(std::string_view text) {
  const absl::StatusOr<std::vector<Expectation>> expectations = ParseExpectations("a.cu", text);
  EXPECT_TRUE(expectations.ok()) << expectations.status();
  return expectations.value_or(std::vector<Expectation>{});
}

std::string ErrorOf(std::string_view text) {
  return ParseExpectations("a.cu", text).status().ToString();
}

TEST(Expectation, ACommentBehindCodeIsAboutItsOwnLine) {
  const auto all = Parsed("int a;\nout[i] = in[i];  // expect: load clean\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].line, 2U);
  EXPECT_EQ(all[0].kind, "load");
  EXPECT_TRUE(all[0].clean);
}

TEST(Expectation, CommentsOnTheirOwnLinesAreAboutTheNextLineWithCode) {
  const auto all =
      Parsed("// expect: load clean\n// expect: store sectors=8\n// words\n\ncode();\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].line, 5U);
  EXPECT_EQ(all[1].line, 5U);
}

TEST(Expectation, PythonCommentsAreRead) {
  EXPECT_EQ(Parsed("x = 1\n# expect: async-copy clean\ny = 2\n").at(0).kind, "async copy");
}

TEST(Expectation, SemicolonsSeparateAccessesOfOneLine) {
  const auto all = Parsed("a;  // expect: load clean; store sectors=32 ideal=4 lines=31.9..32\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_FALSE(all[1].clean);
  EXPECT_TRUE(all[1].per_request.at("sectors").Contains(32));
  EXPECT_FALSE(all[1].per_request.at("sectors").Contains(31.99));
  EXPECT_TRUE(all[1].per_request.at("lines").Contains(31.996));
  EXPECT_FALSE(all[1].per_request.at("lines").Contains(31.8));
}

TEST(Expectation, CommasJoinKindsOfWhichTheSameIsExpected) {
  const auto all = Parsed("a;  // expect: load,store clean pattern=coalesced\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind, "load");
  EXPECT_EQ(all[1].kind, "store");
  for (const Expectation& one : all) EXPECT_EQ(one.pattern, "coalesced");
}

TEST(Expectation, AStepIsEverythingThatCountsCannotTellFromIt) {
  EXPECT_EQ(Parsed("a;  // expect: load pattern=step:124+,scattered\n").at(0).pattern,
            "strided|struct_field|padded_struct:124+,scattered");
}

TEST(Expectation, RangesOfKernelsAreSpelledOut) {
  EXPECT_THAT(Parsed("a;  // expect: load kernel=<1..3>,<8>,copy clean\n").at(0).kernels,
              ElementsAre("<1>", "<2>", "<3>", "<8>", "copy"));
}

TEST(Expectation, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(ErrorOf("a;\nb;  // expect: laod clean\n"), HasSubstr("a.cu:2"));
  EXPECT_THAT(ErrorOf("b;  // expect: load claen\n"), HasSubstr("unknown word"));
  EXPECT_THAT(ErrorOf("b;  // expect: load sector=4\n"), HasSubstr("unknown key"));
  EXPECT_THAT(ErrorOf("b;  // expect: load sectors=four\n"), HasSubstr("not a number"));
  EXPECT_THAT(ErrorOf("b;  // expect: load sectors=9..8\n"), HasSubstr("not a number"));
  EXPECT_THAT(ErrorOf("b;  // expect: load sectors=4 sectors=5\n"), HasSubstr("twice"));
  EXPECT_THAT(ErrorOf("b;  // expect: load kernel=<3..1>\n"), HasSubstr("range of kernels"));
  EXPECT_THAT(ErrorOf("b;  // expect: load sites=0\n"), HasSubstr("sites"));
  EXPECT_THAT(ErrorOf("b;  // expect: load pattern=stride:4\n"), HasSubstr("unknown pattern"));
  EXPECT_THAT(ErrorOf("b;  // expect: load,sotre clean\n"), HasSubstr("unknown kind"));
  EXPECT_THAT(ErrorOf("// expect: load clean\n"), HasSubstr("about no line"));
}

}  // namespace
}  // namespace coalcheck::support

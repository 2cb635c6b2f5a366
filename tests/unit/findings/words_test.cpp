// SPDX-License-Identifier: Apache-2.0
//
// Numbers do not look rounder than they are, and hostile text does not reach the terminal.
#include "libcoalcheck/findings/words/words.h"

#include <gtest/gtest.h>

#include <limits>

#include "libcoalcheck/findings/places/places.h"
#include "libcoalcheck/findings/sources/path_map.h"

namespace coalcheck::words {
namespace {

TEST(Words, ThousandsAreSetApartByNarrowSpaces) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(524288), "524\u202F288");
  EXPECT_EQ(Grouped(std::numeric_limits<std::uint64_t>::max()),
            "18\u202F446\u202F744\u202F073\u202F709\u202F551\u202F615");
}

TEST(Words, OneIsSingular) {
  EXPECT_EQ(Count(1, "launch", "launches"), "1 launch");
  EXPECT_EQ(Count(0, "launch", "launches"), "0 launches");
  EXPECT_EQ(Count(2, "launch", "launches"), "2 launches");
}

TEST(Words, LargeNumbersKeepThreeDigits) {
  EXPECT_EQ(Short(999999), "999\u202F999");
  EXPECT_EQ(Short(1000000), "1.00\u202FM");
  EXPECT_EQ(Short(14680064), "14.7\u202FM");
  EXPECT_EQ(Short(234881024), "235\u202FM");
  EXPECT_EQ(Short(999600000), "1.00\u202FG");
  EXPECT_EQ(Short(std::numeric_limits<std::uint64_t>::max()), "18.4\u202FE");
}

TEST(Words, SharesNeverRoundToAllOrNothing) {
  EXPECT_EQ(Percent(0.875), "87.5 %");
  EXPECT_EQ(Percent(0.8), "80 %");
  EXPECT_EQ(Percent(1), "100 %");
  EXPECT_EQ(Percent(0.99999), "> 99.9 %");
  EXPECT_EQ(Percent(0.00001), "< 0.1 %");
  EXPECT_EQ(Percent(0), "0 %");
}

TEST(Words, OnlyIntegersLookLikeIntegers) {
  EXPECT_EQ(Average(32), "32");
  EXPECT_EQ(Average(4.25), "4.25");
  EXPECT_EQ(Average(31.5), "31.5");
  EXPECT_EQ(Average(31.999), "31.999");
  EXPECT_EQ(Average(31.999999), "≈ 32");
}

TEST(Words, CommandsToTheLogOfABuildAreBrokenUp) {
  EXPECT_EQ(Printable("x ##[error]y ##vso[task.x]"), "x # #[error]y # #vso[task.x]");
  EXPECT_EQ(Printable("###[GROUP]"), "## #[GROUP]");
  // Behind its end another name may follow, with the bracket.
  EXPECT_EQ(Printable("a##b"), "a# #b");
  EXPECT_EQ(Printable("##\x01\xBE[x]"), "# #??[x]");
  EXPECT_EQ(Printable(" ::error::x"), "?:error::x");
  EXPECT_EQ(Printable("\u3000\t\u2003::error::x"), "?:error::x");
  EXPECT_EQ(Printable("\u3000std::sort"), "\u3000std::sort");
  EXPECT_EQ(Printable("std::sort"), "std::sort");
  EXPECT_EQ(Printable("a##b[i] ## b[i]"), "a# #b[i] ## b[i]");
  EXPECT_EQ(Printable("PASTE(a ## b)"), "PASTE(a ## b)");
}

TEST(Words, ControlCharactersAndBrokenUtf8DoNotReachTheTerminal) {
  EXPECT_EQ(Printable("\x1b[31mred\n"), "?[31mred?");
  EXPECT_EQ(Printable("a\tb"), "a    b");
  EXPECT_EQ(Printable("Grüße 🙂"), "Grüße 🙂");
  EXPECT_EQ(Printable("\xC2\x9B"
                      "31m"),
            "?31m")
      << "the one-character form of ESC [";
  EXPECT_EQ(Printable("\xFF\xC3"), "??");
  EXPECT_EQ(Printable("\xED\xA0\x80"), "???") << "a surrogate";
  EXPECT_EQ(Printable("a\u202Eb\u2066c\u202D"), "a?b?c?") << "what turns the direction of text";
  EXPECT_EQ(Printable("\u200F\u061C\u2028\uFEFF"), "????") << "and what ends a line for some";
  EXPECT_EQ(Printable("\uFFFE\uFFFD\u2029\u202F"), "?\uFFFD?\u202F");
}

TEST(Words, AnUnknownReasonIsQuoted) {
  EXPECT_EQ(SkipReason("sampling"), "by sampling");
  EXPECT_EQ(SkipReason("window_lost"), "because its window was lost");
  EXPECT_EQ(SkipReason("new_reason"), "because of \"new_reason\"");
}

TEST(BaseName, DropsTemplateArgumentsParametersAndReturnType) {
  using findings::BaseName;
  EXPECT_EQ(BaseName("transpose(float const*, int)"), "transpose");
  EXPECT_EQ(BaseName("void ns::copy<float, 4>(float const*, int)"), "ns::copy");
  EXPECT_EQ(BaseName("void a<b<int>>::f<(c)1>(d<e>)"), "a::f");
  EXPECT_EQ(BaseName("void (anonymous namespace)::k<int>(int)"), "(anonymous namespace)::k");
  EXPECT_EQ(BaseName("plain_c_kernel"), "plain_c_kernel");
  EXPECT_EQ(BaseName("<"), "<");
}

TEST(PathMap, TakesBothSidesTidied) {
  findings::PathMap map;
  map.Add("/build//a/./", "/home/./me/");
  EXPECT_EQ(map.Apply("/build/a/x.cu"), "/home/me/x.cu");
}

TEST(PathMap, ReplacesWholeFoldersOnly) {
  findings::PathMap map;
  map.Add("/build/app/", "/src/app");
  map.Add("/build", "/other");
  EXPECT_EQ(map.Apply("/build/app/k.cu"), "/src/app/k.cu");
  EXPECT_EQ(map.Apply("/build/application/k.cu"), "/other/application/k.cu");
  EXPECT_EQ(map.Apply("/builder/k.cu"), "/builder/k.cu");
}

TEST(ShortName, KeepsWhatFitsTwoLinesAndCutsBracketsOfWhatDoesNot) {
  EXPECT_EQ(ShortName("_Z4copyIfEvPT_"), "void copy<float>(float*)");
  const std::string type(200, 'T');
  const std::string parameters(150, 'p');
  EXPECT_EQ(ShortName("reduce<" + type + ", 4>(" + parameters + ")"), "reduce<…>(…)");
  EXPECT_EQ(ShortName("(anonymous namespace)::sum<4>(" + type + ")"),
            "(anonymous namespace)::sum<4>(…)");
  EXPECT_EQ(ShortName("f<a<b>(c)>::operator()(" + type + ")"), "f<a<b>(c)>::operator()(…)");
  // Brackets that nothing closes are left as they are.
  for (const std::string& odd : {"operator<" + type, "a->b(" + type, type + ")>"}) {
    EXPECT_EQ(ShortName(odd), odd);
  }
}

}  // namespace
}  // namespace coalcheck::words

// SPDX-License-Identifier: Apache-2.0
//
// A range filter finds the launches that its user would point at in a timeline.
#include "libcoalcheck/selection/range_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coalcheck::selection {
namespace {

using ::testing::HasSubstr;
using Open = std::vector<OpenRange>;

OpenRange Push(std::string name, std::string domain = "") {
  return {std::move(domain), std::move(name), RangeKind::kPushPop};
}
OpenRange Start(std::string name, std::string domain = "") {
  return {std::move(domain), std::move(name), RangeKind::kStartEnd};
}

// Push/pop ranges of the default domain, outermost first.
Open Stack(std::initializer_list<std::string> names) {
  Open open;
  for (const std::string& name : names) open.push_back(Push(name));
  return open;
}

bool Matches(std::string_view filter, const Open& open) {
  const Result<RangeFilter> parsed = RangeFilter::Parse(filter);
  if (!parsed.ok()) ADD_FAILURE() << filter << ": " << parsed.error();
  return parsed.ok() && parsed.value().Matches(open);
}

TEST(RangeFilter, ANameWithoutASlashMatchesBothKindsAnywhere) {
  EXPECT_TRUE(Matches("B", Stack({"A", "B", "C"})));
  EXPECT_TRUE(Matches("B", {Push("A"), Start("B")}));
  EXPECT_FALSE(Matches("B", Stack({"A", "BC"})));
  EXPECT_FALSE(Matches("B", Stack({})));
}

TEST(RangeFilter, CommasAskForAllTheNames) {
  EXPECT_TRUE(Matches("A,B", {Start("B"), Start("A")}));
  EXPECT_TRUE(Matches("A,B", {Push("B"), Start("A")}));
  EXPECT_FALSE(Matches("A,B", {Start("A")}));
  EXPECT_TRUE(Matches("A/B,C", {Push("A"), Push("B"), Start("C")}));
  EXPECT_FALSE(Matches("A/B,C", {Push("A"), Start("B"), Start("C")}));
}

TEST(RangeFilter, ATrailingSlashAsksForAPushPopRange) {
  EXPECT_TRUE(Matches("A/", Stack({"X", "A", "Y"})));
  EXPECT_FALSE(Matches("A/", {Start("A")}));
  EXPECT_TRUE(Matches("A/B/", Stack({"A", "B", "C"})));
}

TEST(RangeFilter, ASlashMeansDirectlyInside) {
  EXPECT_TRUE(Matches("A/B", Stack({"X", "A", "B", "Y"})));
  EXPECT_FALSE(Matches("A/B", Stack({"A", "X", "B"})));
  EXPECT_FALSE(Matches("A/B", Stack({"B", "A"})));
  EXPECT_TRUE(Matches("A/A/B", Stack({"A", "A", "A", "B"})));
}

TEST(RangeFilter, AStarBetweenNamesIsAnyNumberOfRanges) {
  EXPECT_TRUE(Matches("A/*/B", Stack({"A", "B"})));
  EXPECT_TRUE(Matches("A/*/B", Stack({"A", "X", "Y", "B", "Z"})));
  EXPECT_FALSE(Matches("A/*/B", Stack({"B", "A"})));
}

TEST(RangeFilter, APlusBetweenNamesIsExactlyOneRange) {
  EXPECT_FALSE(Matches("A/+/B", Stack({"A", "B"})));
  EXPECT_TRUE(Matches("A/+/B", Stack({"A", "X", "B"})));
  EXPECT_FALSE(Matches("A/+/B", Stack({"A", "X", "Y", "B"})));
  EXPECT_TRUE(Matches("A/+/+/B", Stack({"A", "X", "Y", "B"})));
  EXPECT_TRUE(Matches("A/+/*/B", Stack({"A", "X", "Y", "B"})));
}

TEST(RangeFilter, BracketsAtTheEndsAnchorInTheStack) {
  EXPECT_TRUE(Matches("[A", Stack({"A", "B"})));
  EXPECT_FALSE(Matches("[B", Stack({"A", "B"})));
  EXPECT_TRUE(Matches("B]", Stack({"A", "B"})));
  EXPECT_FALSE(Matches("A]", Stack({"A", "B"})));
  EXPECT_TRUE(Matches("[A]", Stack({"A"})));
  EXPECT_FALSE(Matches("[A]", Stack({"A", "A"})));
  EXPECT_TRUE(Matches("[A/*/C]", Stack({"A", "B", "C"})));
  EXPECT_FALSE(Matches("[A/*/C]", Stack({"A", "B", "C", "D"})));
  EXPECT_FALSE(Matches("[A/*/C]", Stack({"X", "A", "B", "C"})));
  EXPECT_TRUE(Matches("A/]", Stack({"B", "A"})));
}

TEST(RangeFilter, AnchorsAskForPushPopRanges) {
  EXPECT_FALSE(Matches("[A", {Start("A")}));
  EXPECT_FALSE(Matches("A]", {Start("A")}));
}

TEST(RangeFilter, EachDomainHasItsOwnStack) {
  const Open open = {Push("A", "x"), Push("Other", "y"), Push("B", "x"), Push("C", "y")};
  EXPECT_TRUE(Matches("A/B", open));
  EXPECT_TRUE(Matches("[Other/C]", open));
  EXPECT_FALSE(Matches("A/Other", open));
  EXPECT_FALSE(Matches("B/C", open));
}

TEST(RangeFilter, DeepStacksOfTwoDomainsKeepTheirOrder) {
  Open open;
  for (int i = 0; i < 100; ++i) open.push_back(Push(std::to_string(i), i % 2 == 0 ? "x" : "y"));
  for (int i = 2; i < 100; ++i) {
    EXPECT_TRUE(Matches(std::to_string(i - 2) + "/" + std::to_string(i), open)) << i;
  }
  EXPECT_TRUE(Matches("x@[0/*/98]", open));
}

TEST(RangeFilter, ADomainLimitsTheFilterToItsRanges) {
  const Open open = {Push("A", "x"), Push("B"), Start("C", "nccl")};
  EXPECT_TRUE(Matches("x@A", open));
  EXPECT_FALSE(Matches("y@A", open));
  EXPECT_TRUE(Matches("nc*@C", open));
  EXPECT_TRUE(Matches("x@[A]", open));
  EXPECT_FALSE(Matches("x@A,C", open));
  EXPECT_TRUE(Matches("@B", open));
  EXPECT_FALSE(Matches("@A", open));
}

TEST(RangeFilter, NamesAreGlobs) {
  EXPECT_TRUE(Matches("step*", Stack({"step 12"})));
  EXPECT_TRUE(Matches("step [0-9]/", Stack({"step 7"})));
  EXPECT_TRUE(Matches("[Ff]orward/B", Stack({"forward", "B"})));
  EXPECT_TRUE(Matches("[Ff]orward]", Stack({"X", "Forward"})));
  EXPECT_TRUE(Matches("[A[0-9]x", Stack({"A7x", "B"})));
  EXPECT_TRUE(Matches("[[Ff]orward", Stack({"Forward", "B"})));
  EXPECT_FALSE(Matches("[[Ff]orward", Stack({"B", "Forward"})));
  EXPECT_TRUE(Matches("A/B[0-9]]", Stack({"A", "B1"})));
  EXPECT_FALSE(Matches("A/B[0-9]]", Stack({"A", "B1", "C"})));
}

TEST(RangeFilter, AStarAloneIsAnyRange) {
  EXPECT_TRUE(Matches("*", {Start("C")}));
  EXPECT_FALSE(Matches("*", Stack({})));
  EXPECT_TRUE(Matches("x@*", {Push("A", "x")}));
  EXPECT_FALSE(Matches("y@*", {Push("A", "x")}));
}

TEST(RangeFilter, ABackslashTakesSpecialCharactersAsTheyAre) {
  EXPECT_TRUE(Matches(R"(a\/b)", Stack({"a/b"})));
  EXPECT_TRUE(Matches(R"(a\,b)", Stack({"a,b"})));
  EXPECT_TRUE(Matches(R"(a\@b)", Stack({"a@b"})));
  EXPECT_TRUE(Matches(R"(\[a\])", {Start("[a]")}));
  EXPECT_TRUE(Matches(R"(A/\*/\+)", Stack({"A", "*", "+"})));
  EXPECT_FALSE(Matches(R"(A/\*/B)", Stack({"A", "x", "B"})));
  EXPECT_TRUE(Matches(R"(a\\)", Stack({R"(a\)"})));
  EXPECT_TRUE(Matches(R"(a\@b@c)", {Push("c", "a@b")}));
}

TEST(RangeFilter, AnExpressionIsSearchedForInAnyName) {
  EXPECT_TRUE(Matches("regex:^it(er)?/[0-9]+,", Stack({"A", "iter/12, x", "B"})));
  EXPECT_TRUE(Matches("regex:a@b", {Start("xa@bx")}));
  EXPECT_FALSE(Matches("regex:^b", Stack({"ab"})));
  EXPECT_TRUE(Matches("x@regex:b", {Push("ab", "x")}));
  EXPECT_FALSE(Matches("@regex:b", {Push("ab", "x")}));
}

std::string ErrorOf(const std::string& filter) {
  const Result<RangeFilter> parsed = RangeFilter::Parse(filter);
  return parsed.ok() ? filter + " was accepted" : parsed.error();
}

TEST(RangeFilter, AnErrorSaysWhatIsWrongAndWhatIsAccepted) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("DOMAIN@NAME are accepted"));
  for (const char* filter : {"A//B", "/A", "/", "A,", ",A", "x@", "[", "]", "[]", "A,,B"}) {
    EXPECT_THAT(ErrorOf(filter), HasSubstr("a name is missing")) << filter;
  }
  for (const char* filter : {"A/[B", "A]/B", "A/[B]", "a[b", "[A]/B", "a]b", "A/[B]/C"}) {
    EXPECT_THAT(ErrorOf(filter), HasSubstr("is misplaced; [ is accepted before")) << filter;
  }
  for (const char* filter : {"*/A", "A/*", "A/+", "+", "[*/A", "A/+/", "*/", "*]"}) {
    EXPECT_THAT(ErrorOf(filter), HasSubstr("stand between two names")) << filter;
  }
  EXPECT_THAT(ErrorOf("A\\"), HasSubstr("ends in a backslash"));
  EXPECT_THAT(ErrorOf("x\\"), HasSubstr("ends in a backslash"));
  EXPECT_THAT(ErrorOf("regex:("), HasSubstr("not a regular expression"));
  EXPECT_THAT(ErrorOf("x@regex:"), HasSubstr("missing"));
  EXPECT_THAT(ErrorOf("A/regex:b"), HasSubstr("only at the start"));
  EXPECT_THAT(ErrorOf("A/B@C"), HasSubstr("'A/B' is not a domain"));
  EXPECT_THAT(ErrorOf("x@A,y@B"), HasSubstr("two domains"));
  EXPECT_THAT(ErrorOf(std::string(2000, 'a')), HasSubstr("too long"));
}

TEST(RangeFilter, KeepsItsText) {
  EXPECT_EQ(RangeFilter::Parse("x@[A/*/B]").value().text(), "x@[A/*/B]");
}

std::vector<RangeFilter> Filters(std::initializer_list<std::string_view> texts) {
  std::vector<RangeFilter> filters;
  for (const std::string_view text : texts) filters.push_back(RangeFilter::Parse(text).value());
  return filters;
}

TEST(RangesSelected, AnIncludeHasToMatchAndNoExcludeMay) {
  const Open open = Stack({"A", "B"});
  EXPECT_TRUE(RangesSelected({}, {}, open));
  EXPECT_TRUE(RangesSelected({}, {}, {}));
  EXPECT_TRUE(RangesSelected(Filters({"X", "A"}), {}, open));
  EXPECT_FALSE(RangesSelected(Filters({"X"}), {}, open));
  EXPECT_FALSE(RangesSelected(Filters({"A"}), Filters({"X", "B"}), open));
  EXPECT_FALSE(RangesSelected({}, Filters({"B"}), open));
  EXPECT_FALSE(RangesSelected(Filters({"A"}), {}, {}));
}

}  // namespace
}  // namespace coalcheck::selection

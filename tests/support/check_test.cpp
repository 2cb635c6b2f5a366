// SPDX-License-Identifier: Apache-2.0
//
// The checker of expectations complains about every way in which a report can differ.
#include "tests/support/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::support {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Expectation> Expected(std::string_view comment) {
  return *ParseExpectations("samples/a/a.cu",
                            std::string("code;  // expect: ") + std::string(comment) + "\n");
}

ObservedAccess Store(std::uint64_t sectors, std::uint64_t ideal, bool is_finding) {
  return {"samples/a/a.cu", 1,          "copy<2>",    "store", is_finding, 1, 10, 320,
          10 * sectors,     10 * ideal, 10 * sectors, {}};
}

TEST(CheckExpectations, AcceptsWhatWasExpected) {
  EXPECT_THAT(CheckExpectations(Expected("store sectors=32 ideal=4 lines=32 lanes=32 sites=1"),
                                {Store(32, 4, true)}),
              IsEmpty());
  EXPECT_THAT(CheckExpectations(Expected("store clean"), {Store(4, 4, false)}), IsEmpty());
}

TEST(CheckExpectations, RefusesOtherNumbers) {
  EXPECT_THAT(CheckExpectations(Expected("store sectors=32 ideal=4"), {Store(31, 4, true)}),
              ElementsAre(HasSubstr("sectors=31 instead of 32")));
}

TEST(CheckExpectations, RefusesAnotherPattern) {
  ObservedAccess store = Store(32, 4, true);
  EXPECT_THAT(CheckExpectations(Expected("store pattern=scattered"), {store}), IsEmpty());
  store.pattern = "strided|struct_field|padded_struct:12";
  for (const char* right : {"step:12", "step", "strided|struct_field|padded_struct:12"}) {
    EXPECT_THAT(CheckExpectations(Expected("store pattern=" + std::string(right)), {store}),
                IsEmpty());
  }
  for (const char* wrong : {"step:16", "strided:12", "scattered", "step:12,scattered", "strided"}) {
    EXPECT_THAT(CheckExpectations(Expected("store pattern=" + std::string(wrong)), {store}),
                ElementsAre(HasSubstr("has pattern=strided|struct_field|padded_struct:12")));
  }
  store.pattern = "strided|struct_field|padded_struct:124+,scattered";
  EXPECT_THAT(CheckExpectations(Expected("store pattern=step"), {store}),
              ElementsAre(HasSubstr("instead of")));
}

TEST(CheckExpectations, RefusesAFindingWhereAllShouldBeClean) {
  EXPECT_THAT(CheckExpectations(Expected("store clean"), {Store(8, 4, true)}),
              ElementsAre(HasSubstr("is a finding")));
}

TEST(CheckExpectations, RefusesSilenceWhereAFindingIsExpected) {
  EXPECT_THAT(CheckExpectations(Expected("store"), {Store(4, 4, false)}),
              ElementsAre(HasSubstr("is no finding")));
}

TEST(CheckExpectations, RefusesAFindingThatNobodyExpects) {
  EXPECT_THAT(CheckExpectations({}, {Store(8, 4, true)}), ElementsAre(HasSubstr("nobody expects")));
  EXPECT_THAT(CheckExpectations({}, {Store(4, 4, false)}), IsEmpty());
}

TEST(CheckExpectations, RefusesAnExpectationThatWasNotSeen) {
  EXPECT_THAT(CheckExpectations(Expected("store clean"), {}),
              ElementsAre(HasSubstr("was not seen")));
  EXPECT_THAT(CheckExpectations(Expected("load clean"), {Store(4, 4, false)}),
              ElementsAre(HasSubstr("was not seen")));
}

TEST(CheckExpectations, WantsEveryKernelNamed) {
  EXPECT_THAT(CheckExpectations(Expected("store kernel=<2>,<3> clean"), {Store(4, 4, false)}),
              ElementsAre(HasSubstr("not seen in a kernel <3>")));
}

TEST(CheckExpectations, CountsCallSites) {
  const auto two = Expected("store sites=2");
  EXPECT_THAT(CheckExpectations(two, {Store(8, 4, true), Store(8, 4, true)}), IsEmpty());
  EXPECT_THAT(CheckExpectations(two, {Store(8, 4, true)}), ElementsAre(HasSubstr("1 sites")));
}

TEST(CompareWithCount, AcceptsTheCountTimesTheLaunches) {
  ObservedAccess twice = Store(64, 8, true);
  twice.requests = 20;
  twice.lanes = 640;
  twice.launches_checked = 2;
  EXPECT_THAT(CompareWithCount({twice}, {Store(32, 4, true)}), IsEmpty());
}

TEST(CompareWithCount, AddsUpCallSitesOfOneLine) {
  const std::vector<ObservedAccess> two = {Store(32, 4, true), Store(32, 4, true)};
  EXPECT_THAT(CompareWithCount(two, two), IsEmpty());
}

TEST(CompareWithCount, RefusesOneSectorMoreOrLess) {
  ObservedAccess off = Store(32, 4, true);
  ++off.sectors;
  EXPECT_THAT(CompareWithCount({off}, {Store(32, 4, true)}), ElementsAre(HasSubstr("321 sectors")));
}

TEST(CompareWithCount, RefusesAnAccessThatOnlyOneSideHas) {
  EXPECT_THAT(CompareWithCount({}, {Store(4, 4, false)}), ElementsAre(HasSubstr("not reported")));
  EXPECT_THAT(CompareWithCount({Store(4, 4, false)}, {}), ElementsAre(HasSubstr("not counted")));
}

TEST(Observed, ReadsAReportsKernelNamesAndPaths) {
  const auto accesses =
      AccessesOfReport(R"json({"accesses": [{"file": "/x/samples/a/a.cu", "line": 3,
    "kernel": "void ns::copy<float, 2>(float const*, int)", "kind": "load", "finding": true,
    "launches_checked": 1, "requests": 1, "lanes": 32, "sectors": 8, "ideal_sectors": 4,
    "lines": 2, "patterns": [{"class": "strided:8"}, {"class": "coalesced"}]}]})json");
  ASSERT_TRUE(accesses.ok()) << accesses.status();
  EXPECT_EQ(accesses->at(0).kernel, "ns::copy<float, 2>");
  EXPECT_EQ(accesses->at(0).file, "samples/a/a.cu");
  EXPECT_TRUE(accesses->at(0).is_finding);
  EXPECT_EQ(accesses->at(0).pattern, "strided:8/coalesced");
}

TEST(Observed, RefusesAReportWithoutTheNumbers) {
  EXPECT_FALSE(AccessesOfReport(R"({"accesses": [{"file": "a", "line": 3}]})").ok());
  EXPECT_FALSE(AccessesOfReport("{}").ok());
  EXPECT_FALSE(AccessesOfReport("").ok());
}

}  // namespace
}  // namespace coalcheck::support

// SPDX-License-Identifier: Apache-2.0
//
// What a finding says of its patterns, and what it leaves unsaid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/output/view/patterns.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::output {
namespace {

using findings::kCubin;
using findings::kSource;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A load on one line, each launch with its own full requests.
class PatternsText : public testing::Test {
 protected:
  PatternsText() {
    code_.Add(kCubin, "k").accesses = {
        findings::MakeAccess(16, cubin::AccessKind::kLoad, {{"k", kSource, 2}})};
  }

  void AddLaunch(std::uint64_t requests, std::uint64_t sectors, std::uint64_t lines) {
    run_.windows.push_back(findings::MakeWindow(
        run_.windows.size() + 1, "k",
        {{PcOffset(16),
          {requests, requests * 32, 0, 0, requests * sectors, requests * 4, requests * lines}}}));
  }

  std::string Text() {
    const findings::Report report = findings::ReportOn({run_}, code_, sources_);
    return Lines(PatternDetails(report, report.places.at(0)));
  }

  std::string Advice() {
    const findings::Report report = findings::ReportOn({run_}, code_, sources_);
    return UsualAdvice(report, report.places.at(0));
  }

  findings::FakeCode code_;
  findings::FakeSources sources_;
  recording::RecordedRun run_ = findings::MakeRun();
};

TEST_F(PatternsText, OnePatternIsOneLineAndItsAdvice) {
  AddLaunch(1500, 5, 2);
  EXPECT_EQ(Text(),
            "   pattern: consecutive elements that begin 4 to 28 bytes off a sector\n"
            "   likely absorbed by L1: other accesses use the rest of these sectors soon\n");
  EXPECT_EQ(Advice(),
            "begin on a multiple of 32 bytes: pad the rows, or shift the loop (4 sectors "
            "a request then)");
}

TEST_F(PatternsText, LaunchesThatDifferAreNamedByTheirShareOfTheWaste) {
  AddLaunch(1500, 5, 2);
  AddLaunch(1500, 16, 4);
  AddLaunch(1500, 4, 1);  // clean: no part of the waste
  const std::string text = Text();
  EXPECT_THAT(text,
              HasSubstr("   pattern of 92.3 % of the waste: strided by 16 bytes, or a field of "
                        "a structure of that size (16 sectors in 4 lines)\n"
                        "   pattern of 7.7 % of the waste: consecutive elements that begin 4 "
                        "to 28 bytes off a sector (5 sectors in 2 lines)\n"));
  EXPECT_THAT(Advice(), StartsWith("let consecutive lanes"));
}

TEST_F(PatternsText, AveragesOfDifferentRequestsAreCalledSo) {
  run_.windows.push_back(
      findings::MakeWindow(1, "k", {{PcOffset(16), {2000, 64000, 0, 0, 9750, 8000, 3800}}}));
  EXPECT_THAT(Text(), HasSubstr("off a sector, judged by the average of requests that differ\n"));
}

TEST_F(PatternsText, WhatIsUnknownIsNotSaid) {
  AddLaunch(1500, 20, 20);
  EXPECT_EQ(Text(), "");
}

}  // namespace
}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// Lines as wide as the terminal, and a text as long as it is wanted.
#include "libcoalcheck/output/text/wrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "libcoalcheck/output/forms/forms.h"
#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Wrapped, LongLinesBreakAtBlanksAndHang) {
  EXPECT_EQ(Wrapped("   one two three\nfour\n", 10), "   one two\n     three\nfour\n");
  EXPECT_EQ(Wrapped("short", 10), "short");
  EXPECT_EQ(Wrapped("averylongword of it\n", 6), "averylongword\n  of\n  it\n");
}

TEST(Wrapped, ColourTakesNoColumn) {
  EXPECT_EQ(Columns("\x1b[1mab\x1b[0mé"), 3U);
  EXPECT_EQ(Wrapped("\x1b[1mab\x1b[0m cd\n", 5), "\x1b[1mab\x1b[0m cd\n");
}

TEST(Wrapped, NoLineBeginsWithACommandOfANameToABuildsLog) {
  EXPECT_EQ(Wrapped("of k ::error::owned by it\n", 10), "of k ::error::owned\n  by it\n");
  EXPECT_EQ(Wrapped("of kernel  ::error::x by it\n", 10), "of kernel  ::error::x\n  by it\n");
  EXPECT_EQ(Wrapped("of kernel \u00A0::error::x by it\n", 10),
            "of kernel \u00A0::error::x\n  by it\n");
  EXPECT_EQ(Wrapped("of kernel \u2003 ::error::x by it\n", 10),
            "of kernel \u2003 ::error::x\n  by it\n");
}

TEST(Wrapped, LinesOfSourceStayWhole) {
  EXPECT_EQ(Wrapped("   17 | a b c d e f\n", 8), "   17 | a b c d e f\n");
}

TEST(TextWriter, BreaksItsLinesToTheWidthItIsGiven) {
  TransposeReport sample;
  const findings::Report report = sample.Make();
  const std::string text =
      Written(Format::kText, {report, verdict::Judge(report), sample.sources, {.width = 60}});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" | ") == std::string::npos) {
      EXPECT_LE(Columns(line), 60U) << line;
    }
  }
}

TEST(TextWriter, QuietIsALineForEachFindingAndTheLast) {
  TransposeReport sample;
  const findings::Report report = sample.Make();
  const std::string text =
      Written(Format::kText,
              {report, verdict::Judge(report), sample.sources, {.verbosity = Verbosity::kQuiet}});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_THAT(text, HasSubstr("a.cu:2: store wastes 87.5 %: 32 sectors a request, 4 needed\n"));
  EXPECT_THAT(text, EndsWith("counted 1 of 200 launches (--sampling all for the rest)\n"));
}

TEST(TextWriter, VerboseNamesInstructionsAndCleanAccesses) {
  TransposeReport sample;
  const findings::Report report = sample.Make();
  const std::string text =
      Written(Format::kText,
              {report, verdict::Judge(report), sample.sources, {.verbosity = Verbosity::kVerbose}});
  EXPECT_THAT(text, HasSubstr("   instruction at pc 0x20 of cubin 00000000000000c0: 524"));
  EXPECT_THAT(text, HasSubstr("\nclean: a.cu:2: load wastes 0 % of the sectors it touches\n"));
  EXPECT_THAT(Written(Format::kText, {report, verdict::Judge(report), sample.sources, {}}),
              Not(HasSubstr("clean: ")));
}

}  // namespace
}  // namespace coalcheck::output

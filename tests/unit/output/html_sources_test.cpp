// SPDX-License-Identifier: Apache-2.0
//
// The lines around findings, of line tables that may say anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "libcoalcheck/output/html/parts.h"
#include "tests/unit/findings/fakes.h"

namespace coalcheck::output::html {
namespace {

using ::testing::HasSubstr;

TEST(HtmlSources, TheLastLineThatAFileCanHaveHasNoneBehindIt) {
  constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();
  findings::FakeCode code;
  findings::FakeSources sources;
  code.Add(findings::kCubin, "k").accesses = {
      findings::MakeAccess(16, cubin::AccessKind::kLoad, {{"k", findings::kSource, kLast}})};
  recording::RecordedRun run = findings::MakeRun();
  run.windows = {findings::MakeWindow(1, "k", {findings::MakeRow(16, 10, 32, 4)})};
  const findings::Report report = findings::ReportOn({run}, code, sources);
  ASSERT_TRUE(report.accesses.at(0).is_finding);
  EXPECT_THAT(SourcesPart(report, sources), HasSubstr(">4294967295</td>"));
}

}  // namespace
}  // namespace coalcheck::output::html

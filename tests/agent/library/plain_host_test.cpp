// SPDX-License-Identifier: Apache-2.0
//
// A host that has no CUDA is told so in one line and otherwise left alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agent/library/run_process.h"

namespace coalcheck::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

ProcessResult RunPlainHost(const char* times, const char* exit_code) {
  return RunProcess({COALCHECK_PLAIN_HOST, COALCHECK_LIBRARY, times, exit_code},
                    {{"COALCHECK_OPTIONS", ""}});
}

TEST(PlainHost, OneLineSaysThatThereIsNoDriver) {
  const ProcessResult result = RunPlainHost("1", "0");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Lines(result.err), ElementsAre(AllOf(StartsWith("coalcheck: nothing will be checked"),
                                                   HasSubstr("libcuda.so.1"))));
}

TEST(PlainHost, ASecondInitializationDoesNothing) {
  EXPECT_THAT(Lines(RunPlainHost("2", "0").err), ElementsAre(StartsWith("coalcheck: ")));
}

TEST(PlainHost, OutputAndExitCodeStayTheHosts) {
  const ProcessResult result = RunPlainHost("1", "37");
  EXPECT_EQ(result.exit_code, 37);
  EXPECT_EQ(result.out, "the host's own output\n");
}

TEST(PlainHost, LoadedAndNotInitializedTheLibraryIsSilent) {
  const ProcessResult result = RunPlainHost("0", "0");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace coalcheck::testing

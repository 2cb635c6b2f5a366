// SPDX-License-Identifier: Apache-2.0
//
// A recording of each earlier version of the format is still read whole. Those of 1.1 and from
// 1.5 on are the examples of their documents; the others were written on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "libcoalcheck/recording/reader.h"

namespace coalcheck::recording {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

class EarlierFormat : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  static RecordedRun Read() {
    std::ostringstream text;
    text << std::ifstream(std::string(COALCHECK_SOURCE_DIR "/tests/unit/recording/formats/1.") +
                          std::to_string(GetParam()) + ".jsonl")
                .rdbuf();
    auto run = ParseRecords(text.str());
    EXPECT_TRUE(run.ok()) << run.status();
    return run.ok() ? *std::move(run) : RecordedRun{};
  }
};

TEST_P(EarlierFormat, IsReadWithoutALoss) {
  const RecordedRun run = Read();
  EXPECT_EQ(run.header.major, 1U);
  EXPECT_EQ(run.header.minor, GetParam());
  EXPECT_THAT(run.lost_lines, IsEmpty());
  ASSERT_THAT(run.windows, Not(IsEmpty()));
  for (const Window& window : run.windows) {
    EXPECT_THAT(window.functions, Not(IsEmpty()));
    for (const LaunchesInside& inside : window.inside) {
      EXPECT_EQ(inside.arguments.empty(), GetParam() < 5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfVersion1, EarlierFormat, ::testing::Range(0U, kMinorVersion));

}  // namespace
}  // namespace coalcheck::recording

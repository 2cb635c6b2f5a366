// SPDX-License-Identifier: Apache-2.0
//
// What the agent says about its process, and the templates of folder names.
#include "injection/agent/process/process_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace coalcheck::agent {
namespace {

using ::testing::EndsWith;
using ::testing::MatchesRegex;

recording::Header Process() {
  recording::Header header;
  header.pid = 42;
  header.host = "node7";
  return header;
}

std::string Expand(std::string_view text) { return ExpandTemplate(text, Process()); }

TEST(ExpandTemplate, TheProcessAndTheHostAreFilledIn) {
  EXPECT_EQ(Expand("out/%h.%p.rec"), "out/node7.42.rec");
  EXPECT_EQ(Expand("%p%p"), "4242");
}

TEST(ExpandTemplate, AnEnvironmentVariableIsFilledInAndAnUnsetOneIsEmpty) {
  setenv("COALCHECK_TEST_RANK", "3", 1);
  unsetenv("COALCHECK_TEST_UNSET");
  EXPECT_EQ(Expand("rank%q{COALCHECK_TEST_RANK}.rec"), "rank3.rec");
  EXPECT_EQ(Expand("[%q{COALCHECK_TEST_UNSET}]"), "[]");
}

TEST(ExpandTemplate, TheRankIsFilledInAndTheProcessIdWhereThereIsNone) {
  recording::Header process = Process();
  EXPECT_EQ(ExpandTemplate("%r.rec", process), "42.rec");
  process.job.rank = 7;
  EXPECT_EQ(ExpandTemplate("%r.rec", process), "7.rec");
}

TEST(ExpandTemplate, TwoPercentSignsAreOne) {
  EXPECT_EQ(Expand("100%%p"), "100%p");
  EXPECT_EQ(Expand("%%%%"), "%%");
}

TEST(ExpandTemplate, WhatIsNoTemplateStaysAsItIs) {
  EXPECT_EQ(Expand(""), "");
  EXPECT_EQ(Expand("plain"), "plain");
  EXPECT_EQ(Expand("%x"), "%x");
  EXPECT_EQ(Expand("%"), "%");
  EXPECT_EQ(Expand("a%"), "a%");
  EXPECT_EQ(Expand("%q"), "%q");
  EXPECT_EQ(Expand("%q{OPEN"), "%q{OPEN");
  EXPECT_EQ(Expand("%qx}"), "%qx}");
}

TEST(DescribeProcess, NamesThisProgramAndWhenItStarted) {
  const recording::Header header = DescribeProcess();
  EXPECT_EQ(header.pid, static_cast<std::uint64_t>(getpid()));
  EXPECT_THAT(header.program, EndsWith("/agent_test"));
  ASSERT_FALSE(header.arguments.empty());
  EXPECT_THAT(header.arguments[0], EndsWith("agent_test"));
  EXPECT_THAT(header.started, MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_FALSE(header.host.empty());
  EXPECT_FALSE(header.working_directory.empty());
}

TEST(DescribeProcess, SaysWhichRankItIs) {
  setenv("RANK", "3", 1);
  setenv("WORLD_SIZE", "8", 1);
  const recording::JobMembership job = DescribeProcess().job;
  unsetenv("RANK");
  unsetenv("WORLD_SIZE");
  EXPECT_EQ(job.rank, 3U);
  EXPECT_EQ(job.world_size, 8U);
}

TEST(Environment, AnEmptyVariableCountsAsUnset) {
  setenv("COALCHECK_TEST_EMPTY", "", 1);
  EXPECT_EQ(Environment("COALCHECK_TEST_EMPTY", "fallback"), "fallback");
}

}  // namespace
}  // namespace coalcheck::agent

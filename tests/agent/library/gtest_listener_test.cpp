// SPDX-License-Identifier: Apache-2.0
//
// The header for GoogleTest programs, with functions of the agent's names in this very program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "include/coalcheck_gtest.h"

namespace {

std::vector<std::string>& Calls() {
  static std::vector<std::string> calls;
  return calls;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) void coalcheck_agent_push(const char* name) {
  Calls().push_back(std::string("push ") + name);
}
__attribute__((visibility("default"))) void coalcheck_agent_pop() { Calls().push_back("pop"); }
}

namespace coalcheck::testing {
namespace {

TEST(GoogleTestListener, OpensARegionForEachTest) {
  const ::testing::TestInfo& info = *::testing::UnitTest::GetInstance()->current_test_info();
  TestListener listener;
  Calls().clear();
  listener.OnTestStart(info);
  listener.OnTestEnd(info);
  EXPECT_THAT(Calls(),
              ::testing::ElementsAre("push GoogleTestListener.OpensARegionForEachTest", "pop"));
}

TEST(GoogleTestListener, ARegionLastsAsLongAsItsScope) {
  Calls().clear();
  {
    const Region region("scope");
    EXPECT_THAT(Calls(), ::testing::ElementsAre("push scope"));
  }
  EXPECT_THAT(Calls(), ::testing::ElementsAre("push scope", "pop"));
}

}  // namespace
}  // namespace coalcheck::testing

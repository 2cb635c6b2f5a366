// SPDX-License-Identifier: Apache-2.0
//
// One region for each test of a GoogleTest program, named "Suite.Test": the report then has a row
// for each, and --nvtx-include 'Suite.*' selects them.
//
//   int main(int argc, char** argv) {
//     testing::InitGoogleTest(&argc, argv);
//     coalcheck::ListenToTests();
//     return RUN_ALL_TESTS();
//   }
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "coalcheck.h"

namespace coalcheck {

class TestListener : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo& info) override {
    coalcheck_push((std::string(info.test_suite_name()) + "." + info.name()).c_str());
  }
  void OnTestEnd(const testing::TestInfo&) override { coalcheck_pop(); }
};

// After InitGoogleTest. GoogleTest owns the listener.
inline void ListenToTests() {
  testing::UnitTest::GetInstance()->listeners().Append(new TestListener);
}

}  // namespace coalcheck

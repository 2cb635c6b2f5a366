// SPDX-License-Identifier: Apache-2.0
//
// What a shell takes for one word.
#include "libcoalcheck/base/shell_word.h"

#include <gtest/gtest.h>

namespace coalcheck {
namespace {

TEST(ShellWord, APlainPathStaysAsItIs) { EXPECT_EQ(ShellWord("/tmp/run-1.rec"), "/tmp/run-1.rec"); }

TEST(ShellWord, WhatAShellWouldTakeForItsOwnIsQuoted) {
  EXPECT_EQ(ShellWord("$(touch x).rec"), "'$(touch x).rec'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord("~/x"), "'~/x'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace coalcheck

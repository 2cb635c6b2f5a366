// SPDX-License-Identifier: Apache-2.0
//
// A mistyped word finds the word that was meant, and a foreign one finds nothing.
#include "libcoalcheck/options/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace coalcheck::options {
namespace {

const std::vector<std::string> kKnown = {"sampling", "recording", "format"};

TEST(Nearest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(Nearest("samplin", kKnown), "sampling");
  EXPECT_EQ(Nearest("fromat", kKnown), "format");
  EXPECT_EQ(Nearest("recroding", kKnown), "recording");
}

TEST(Nearest, FindsNothingForAForeignWord) {
  EXPECT_EQ(Nearest("zebra", kKnown), "");
  EXPECT_EQ(Nearest(std::string(100000, 'x'), kKnown), "");
  EXPECT_EQ(Nearest("sampling", {}), "");
}

}  // namespace
}  // namespace coalcheck::options

// SPDX-License-Identifier: Apache-2.0
//
// Names of kernels that are shorter and longer than what is kept.
#include "libcoalcheck/base/short_name.h"

#include <gtest/gtest.h>

#include <string>

namespace coalcheck {
namespace {

const std::string kLong(300'000, 'k');

TEST(ShortName, KeepsNamesThatAreNoLongerThanTheLongest) {
  const std::string longest(kLongestKeptName, 'k');
  EXPECT_EQ(ShortName(longest), longest);
  EXPECT_EQ(ShortName(""), "");
}

TEST(ShortName, OfALongNameIsAsLongAsTheLongestAndItsOwnShortName) {
  const std::string kept = ShortName(kLong);
  EXPECT_EQ(kept.size(), kLongestKeptName);
  EXPECT_EQ(ShortName(kept), kept);
}

TEST(ShortName, TellsLongNamesApartByTheirEnds) {
  EXPECT_NE(ShortName(kLong + "a"), ShortName(kLong + "b"));
}

}  // namespace
}  // namespace coalcheck

// SPDX-License-Identifier: Apache-2.0
//
// Days of the calendar, and what is none.
#include "libcoalcheck/policy/date.h"

#include <gtest/gtest.h>

namespace coalcheck::policy {
namespace {

TEST(Date, IsReadAndWritten) {
  const auto date = DateFromText("2028-02-29");
  ASSERT_TRUE(date);
  EXPECT_EQ(ToString(*date), "2028-02-29");
  EXPECT_LT(*date, *DateFromText("2028-03-01"));
  EXPECT_LT(*DateFromText("2027-12-31"), *date);
}

TEST(Date, RefusesWhatIsNoDay) {
  for (const char* text : {"", "2027-02-29", "2027-13-01", "2027-00-01", "2027-1-1", "27-01-01",
                           "2027-01-0x", "2027/01/01", "2027-01-011", "-027-01-01"}) {
    EXPECT_FALSE(DateFromText(text)) << text;
  }
}

}  // namespace
}  // namespace coalcheck::policy

// SPDX-License-Identifier: Apache-2.0
//
// Days, for suppressions that expire. Which day it is, is an input.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace coalcheck::policy {

struct Date {
  int year = 0;
  unsigned month = 0;  // 1 to 12
  unsigned day = 0;    // 1 to 31
  friend auto operator<=>(const Date&, const Date&) = default;
};

// "2027-01-31". Empty for what is no day of the calendar.
std::optional<Date> DateFromText(std::string_view text);
std::string ToString(const Date& date);

}  // namespace coalcheck::policy

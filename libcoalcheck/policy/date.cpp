// SPDX-License-Identifier: Apache-2.0
//
// ISO 8601 dates.
#include "libcoalcheck/policy/date.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace coalcheck::policy {

std::optional<Date> DateFromText(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [text](std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(at, digits)) {
      if (c < '0' || c > '9') return -1;
      value = 10 * value + (c - '0');
    }
    return value;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const int day = number(8, 2);
  if (std::min({year, month, day}) < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return Date{year, static_cast<unsigned>(month), static_cast<unsigned>(day)};
}

std::string ToString(const Date& date) {
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

}  // namespace coalcheck::policy

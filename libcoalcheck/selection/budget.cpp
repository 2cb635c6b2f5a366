// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of shares, in whole nanoseconds and millionths.
#include "libcoalcheck/selection/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace coalcheck::selection {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;
constexpr std::uint32_t kPercent = kMillion / 100;
constexpr std::size_t kDecimals = 4;  // of a percentage; the last one is a millionth
constexpr std::int64_t kMemory = 8;   // windows that the running average looks back on

std::optional<std::uint32_t> ReadDigits(std::string_view digits) {
  std::uint32_t value = 0;
  const char* const text_end = digits.data() + digits.size();
  const auto [end, code] = std::from_chars(digits.data(), text_end, value);
  if (code != std::errc() || end != text_end || value > kMillion) return std::nullopt;
  return value;
}

// Millionths of "1.5 %", also more than all.
std::optional<std::uint64_t> ReadPercentage(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const std::size_t point = text.find('.');
  const std::optional<std::uint32_t> whole = ReadDigits(text.substr(0, point));
  if (!whole) return std::nullopt;
  if (point == std::string_view::npos) return std::uint64_t{*whole} * kPercent;
  std::string decimals(text.substr(point + 1));
  if (decimals.empty() || decimals.size() > kDecimals) return std::nullopt;
  decimals.resize(kDecimals, '0');
  const std::optional<std::uint32_t> part = ReadDigits(decimals);
  if (!part) return std::nullopt;
  return std::uint64_t{*whole} * kPercent + *part;
}

}  // namespace

Result<BudgetShare> BudgetShare::Parse(std::string_view text) {
  const std::optional<std::uint64_t> parts = ReadPercentage(text);
  if (text == "0" || parts == 0U) {
    return Error{fmt::format(
        "with a budget of {} only the first launch of each kernel would be counted; use "
        "more, such as 1%, or --sampling first, which needs no budget",
        text)};
  }
  // 0.5 may be meant as a half or as half a percent.
  const std::optional<std::uint64_t> as_percent = ReadPercentage(std::string(text) + "%");
  if (!parts && as_percent && *as_percent <= kMillion) {
    return Error{fmt::format("'{0}' has no unit; {0}% is {0} percent of the time", text)};
  }
  if (!parts || *parts > kMillion) {
    return Error{fmt::format(
        "'{}' is not a share of the time; use one from 0.0001% to 100%, such as 1% or 0.5%", text)};
  }
  return BudgetShare(static_cast<std::uint32_t>(*parts));
}

std::chrono::nanoseconds BudgetShare::Of(std::chrono::nanoseconds whole) const {
  // In two steps: the product of both can be too large.
  const std::int64_t count = whole.count();
  const std::int64_t parts = parts_per_million_;
  return std::chrono::nanoseconds(count / kMillion * parts + count % kMillion * parts / kMillion);
}

std::string ToString(BudgetShare share) {
  const std::uint32_t parts = share.parts_per_million();
  std::string text = fmt::format("{}.{:04}", parts / kPercent, parts % kPercent);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + "%";
}

bool WindowBudget::Affords(std::chrono::nanoseconds now) const {
  const std::int64_t after_one_more =
      spent_.load(std::memory_order_relaxed) + expected_.load(std::memory_order_relaxed);
  return after_one_more <= share_.Of(now).count();
}

void WindowBudget::Spent(std::chrono::nanoseconds cost) {
  const std::int64_t nanoseconds = std::max<std::int64_t>(cost.count(), 0);
  spent_.fetch_add(nanoseconds, std::memory_order_relaxed);
  const bool is_first = windows_.fetch_add(1, std::memory_order_relaxed) == 0;
  // Two threads may overwrite each other's average: the next windows put it right.
  const std::int64_t expected = expected_.load(std::memory_order_relaxed);
  expected_.store(is_first ? nanoseconds : expected + (nanoseconds - expected) / kMemory,
                  std::memory_order_relaxed);
}

}  // namespace coalcheck::selection

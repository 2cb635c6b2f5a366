// SPDX-License-Identifier: Apache-2.0
//
// What rules may cost, and how much of foreign names a hint quotes.
#include "libcoalcheck/policy/work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libcoalcheck/policy/hints.h"
#include "libcoalcheck/selection/kernel_pattern.h"

namespace coalcheck::policy {
namespace {

using ::testing::HasSubstr;

std::vector<OpenRange> Deep(std::size_t length) {
  std::vector<OpenRange> open;
  for (int i = 0; i < 256; ++i) {
    open.push_back({"", std::string(length, 'a') + std::to_string(i), RangeKind::kPushPop});
  }
  return open;
}

selection::RangeFilter FilterOf(const std::string& text) {
  return selection::RangeFilter::Parse(text).value();
}

// How often it can be held against that until the work is spent.
int Times(const selection::RangeFilter& filter, const std::vector<OpenRange>& open) {
  Work work(1'000'000'000);
  int times = 0;
  while (work.SpendOnRanges(filter, open)) ++times;
  EXPECT_TRUE(work.is_spent());
  return times;
}

TEST(Work, ARangeCostsAllNamesThatAreOpen) {
  const selection::RangeFilter filter = FilterOf("regex:abc");
  EXPECT_GT(Times(filter, Deep(10)), 250);
  EXPECT_LT(Times(filter, Deep(4000)), 10) << "256 names are a million characters";
  EXPECT_NEAR(Times(filter, Deep(4090)), Times(filter, Deep(40'000)), 1)
      << "only the start is read";
}

TEST(Work, EachConditionOfARangeCosts) {
  const int one = Times(FilterOf("a"), Deep(1000));
  EXPECT_NEAR(one, 4 * Times(FilterOf("a,b,c,d"), Deep(1000)), 10);
}

TEST(Work, WhatLooksAheadCostsTheSquareOfAName) {
  const auto look = selection::KernelPattern::Parse("regex:(?=a*b)c").value();
  const auto times = [&](std::size_t name) {
    Work work(1'000'000'000);
    int number = 0;
    while (work.SpendOn(look, name)) ++number;
    return number;
  };
  EXPECT_NEAR(times(200), 4 * times(400), 20);
  EXPECT_LT(times(4000), 5) << "each takes half a second";
}

findings::Report InRanges(std::vector<OpenRange> open) {
  findings::Report report;
  report.range_sets = {std::move(open)};
  return report;
}

TEST(Hints, QuoteTheStartOfALongName) {
  const findings::Report report = InRanges(Deep(100'000));
  Selector selector;
  selector.ranges = {FilterOf("step")};
  const std::string hint = Hints(report).For(selector);
  EXPECT_THAT(hint, HasSubstr("; no range is 'step', seen were aaa"));
  EXPECT_THAT(hint, HasSubstr(" …"));
  EXPECT_LT(hint.size(), 2000U);
}

TEST(Hints, AreNotGivenWhereTheyCostTooMuch) {
  findings::Report report = InRanges(Deep(4000));
  report.range_sets.resize(200, report.range_sets[0]);
  Selector selector;
  selector.ranges = {FilterOf("regex:(x|y){40}z")};
  EXPECT_EQ(Hints(report).For(selector), "");
}

}  // namespace
}  // namespace coalcheck::policy

// SPDX-License-Identifier: Apache-2.0
//
// What the budget allows, and which shares can be written.
#include "libcoalcheck/selection/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace coalcheck::selection {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

BudgetShare Share(std::string_view text) { return BudgetShare::Parse(text).value(); }

TEST(BudgetShare, IsReadInPercent) {
  EXPECT_EQ(Share("1%").parts_per_million(), 10000);
  EXPECT_EQ(Share("0.5%").parts_per_million(), 5000);
  EXPECT_EQ(Share("1.5 %").parts_per_million(), 15000);
  EXPECT_EQ(Share("100%").parts_per_million(), 1000000);
  EXPECT_EQ(Share("0.0001%").parts_per_million(), 1);
  EXPECT_EQ(Share("1%"), BudgetShare());
}

TEST(BudgetShare, IsReadBackFromItsText) {
  for (const char* text : {"1%", "0.5%", "100%", "0.0001%", "12.25%", "10%"}) {
    EXPECT_EQ(ToString(Share(text)), text);
  }
}

TEST(BudgetShare, WhatIsNoShareIsRefusedWithWhatIsAccepted) {
  for (const char* text : {"", "%", "200", "200%", "100.0001%", "-1%", "abc", "1.%", ".5%", "1,5%",
                           "0.00001%", "1%%", "1e1%", "99999999999%", "0.50000"}) {
    EXPECT_THAT(BudgetShare::Parse(text).error(), HasSubstr("from 0.0001% to 100%")) << text;
  }
}

TEST(BudgetShare, ANumberWithoutAUnitIsRefusedWithWhatItWouldBeInPercent) {
  EXPECT_EQ(BudgetShare::Parse("1").error(), "'1' has no unit; 1% is 1 percent of the time");
  EXPECT_EQ(BudgetShare::Parse("0.01").error(),
            "'0.01' has no unit; 0.01% is 0.01 percent of the time");
}

TEST(BudgetShare, NothingIsRefusedWithWhatToUseInstead) {
  for (const char* text : {"0", "0%", "0.0%", "0 %"}) {
    EXPECT_THAT(BudgetShare::Parse(text).error(), HasSubstr("--sampling first")) << text;
  }
}

TEST(BudgetShare, OfAYearIsExact) {
  constexpr std::chrono::hours kYear{365 * 24};
  EXPECT_EQ(Share("100%").Of(kYear), kYear);
  EXPECT_EQ(Share("0.0001%").Of(kYear), 31536000us);
  EXPECT_EQ(Share("1%").Of(99ns), 0ns);
}

TEST(WindowBudget, AllowsAWindowWhileNothingIsKnownOfTheirCost) {
  EXPECT_TRUE(WindowBudget(Share("1%")).Affords(0ns));
}

TEST(WindowBudget, WaitsUntilWhatWasSpentAndOneMoreAreWithinTheShare) {
  WindowBudget budget(Share("1%"));
  budget.Spent(10ms);
  EXPECT_FALSE(budget.Affords(2s - 1us));
  EXPECT_TRUE(budget.Affords(2s));
}

TEST(WindowBudget, ExpectsWhatRecentWindowsCost) {
  WindowBudget budget(Share("10%"));
  budget.Spent(800ms);
  for (int i = 0; i < 100; ++i) budget.Spent(1ms);
  EXPECT_EQ(budget.spent(), 900ms);
  EXPECT_FALSE(budget.Affords(9s));
  EXPECT_TRUE(budget.Affords(9100ms));
}

TEST(WindowBudget, ReportsWhatWasSpent) {
  WindowBudget budget(Share("2%"));
  budget.Spent(3ms);
  budget.Spent(-1ms);
  EXPECT_EQ(budget.spent(), 3ms);
  EXPECT_EQ(budget.windows(), WindowCount(2));
  EXPECT_EQ(budget.share(), Share("2%"));
}

TEST(WindowBudget, LosesNoCostAmongThreads) {
  WindowBudget budget(Share("1%"));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&budget] {
      for (int window = 0; window < 1000; ++window) {
        if (budget.Affords(1h)) budget.Spent(1us);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.spent(), 4ms);
  EXPECT_EQ(budget.windows(), WindowCount(4000));
}

}  // namespace
}  // namespace coalcheck::selection

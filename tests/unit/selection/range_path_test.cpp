// SPDX-License-Identifier: Apache-2.0
//
// Random paths and stacks: the automaton agrees with a matcher that tries every way, and hostile
// ones end.
#include "libcoalcheck/selection/range_path.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace coalcheck::selection {
namespace {

using Kind = RangeStep::Kind;
using Names = std::vector<std::string_view>;

RangeStep StepOf(std::string_view text) {
  if (text == "*") return {Kind::kAnyNumber, {}};
  if (text == "+") return {Kind::kExactlyOne, {}};
  return {Kind::kName, Glob::Parse(text).value()};
}

// Whether the steps from `step` on match the ranges from `range` on, tried one way after the other.
bool TriesFrom(const RangePath& path, std::size_t step, const Names& stack, std::size_t range) {
  if (step == path.steps.size()) return !path.is_innermost || range == stack.size();
  const RangeStep& here = path.steps[step];
  if (here.kind == Kind::kAnyNumber && TriesFrom(path, step + 1, stack, range)) return true;
  if (range == stack.size()) return false;
  if (here.kind == Kind::kAnyNumber) return TriesFrom(path, step, stack, range + 1);
  if (here.kind == Kind::kName && !here.name.Matches(stack[range])) return false;
  return TriesFrom(path, step + 1, stack, range + 1);
}

bool Tries(const RangePath& path, const Names& stack) {
  if (path.is_outermost) return TriesFrom(path, 0, stack, 0);
  for (std::size_t start = 0; start <= stack.size(); ++start) {
    if (TriesFrom(path, 0, stack, start)) return true;
  }
  return false;
}

TEST(RangePath, AgreesWithTryingEveryWay) {
  std::mt19937 random(7);
  constexpr std::string_view kSteps[] = {"a", "b", "a", "b", "*", "+", "?"};
  int matches = 0;
  for (int round = 0; round < 20000; ++round) {
    RangePath path;
    path.is_outermost = random() % 3 == 0;
    path.is_innermost = random() % 3 == 0;
    for (std::size_t i = 1 + random() % 5; i > 0; --i) {
      path.steps.push_back(StepOf(kSteps[random() % 7]));
    }
    Names stack(random() % 7);
    for (std::string_view& name : stack) name = kSteps[random() % 2];
    ASSERT_EQ(path.Matches(stack), Tries(path, stack)) << "in round " << round;
    matches += path.Matches(stack) ? 1 : 0;
  }
  EXPECT_GT(matches, 4000);
  EXPECT_LT(matches, 16000);
}

TEST(RangePath, HostilePathsEnd) {
  RangePath path;
  for (int i = 0; i < 200; ++i) {
    path.steps.push_back(StepOf("a"));
    path.steps.push_back(StepOf("*"));
  }
  path.steps.push_back(StepOf("b"));
  EXPECT_FALSE(path.Matches(Names(1000, "a")));
}

}  // namespace
}  // namespace coalcheck::selection

// SPDX-License-Identifier: Apache-2.0
//
// What counted launches were called with, in the recording.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "tests/agent/one_context.h"

namespace coalcheck::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Arguments : public OneContext {
 protected:
  void LaunchWith(const std::string& kernel, const std::string& arguments) {
    program_->Launch(context_, stream_, {{.name = kernel, .arguments = arguments}});
  }
  // "launches bytes" of each set; the reason instead of bytes that are not there.
  static std::vector<std::string> Sets(const recording::LaunchesInside& inside) {
    std::vector<std::string> sets;
    for (const recording::LaunchArguments& set : inside.arguments) {
      sets.push_back(std::to_string(set.launches.count()) + " " +
                     (set.missing.empty() ? set.bytes : set.missing));
    }
    return sets;
  }
  static const std::string kTooMany;
};
const std::string Arguments::kTooMany = "too many launches with different arguments in one window";

TEST_F(Arguments, AreThoseOfTheLaunchThatWasCounted) {
  Start();
  LaunchWith("copy", "first");
  LaunchWith("copy", "second");
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Sets(run.windows[0].inside[0]), ElementsAre("1 first"));
  EXPECT_EQ(run.windows[0].inside[0].arguments[0].size, Bytes(5));
}

TEST_F(Arguments, OfLaunchesThatAreNotCountedAreNotRead) {
  Start();
  for (int i = 0; i < 10; ++i) LaunchWith("copy", "same");
  EXPECT_EQ(program_->arguments_read(), 1U);
  End();
}

TEST_F(Arguments, AreNotReadWhereTheUserSaysSo) {
  Start("--record-arguments off");
  LaunchWith("copy", "secret");
  EXPECT_EQ(program_->arguments_read(), 0U);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.windows[0].inside[0].arguments, IsEmpty());
}

TEST_F(Arguments, OfALaunchThatFailedAreNotRead) {
  Start();
  program_->Launch(context_, stream_, {.kernel = {.name = "copy"}, .succeeds = false});
  EXPECT_EQ(program_->arguments_read(), 0U);
  End();
}

TEST_F(Arguments, ThatDifferAreKeptApart) {
  Start("--collection resident");
  for (const char* arguments : {"a", "b", "a", "b", "a"}) LaunchWith("copy", arguments);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(Sets(run.windows[0].inside[0]), ElementsAre("3 a", "2 b"));
}

TEST_F(Arguments, ThatAreTooManyAreCountedAndNotReadAnyMore) {
  Start("--collection resident");
  for (int i = 0; i < 100; ++i) LaunchWith("copy", std::to_string(i));
  EXPECT_EQ(program_->arguments_read(), agent::ArgumentSets::kMostSets + 1);
  const recording::RecordedRun run = End();
  const std::vector<std::string> sets = Sets(run.windows.at(0).inside.at(0));
  ASSERT_THAT(sets, SizeIs(agent::ArgumentSets::kMostSets + 1));
  EXPECT_EQ(sets.back(), "84 " + kTooMany);
}

TEST_F(Arguments, TakeNoMoreThanTheirShareOfARecord) {
  Start("--collection resident");
  const std::string large(recording::kMostArgumentBytes, 'x');
  for (int i = 0; i < 300; ++i) LaunchWith("k" + std::to_string(i), large);
  const recording::RecordedRun run = End();
  std::uint64_t kept = 0;
  for (const recording::LaunchesInside& inside : run.windows.at(0).inside) {
    kept += inside.arguments.at(0).bytes.size();
  }
  EXPECT_EQ(Bytes(kept), agent::kMostArgumentsOfWindow);
}

TEST_F(Arguments, OfAGraphAreThoseItsNodesHadWhenItWasInstantiated) {
  Start();
  const auto graph = program_->device().MakeGraph(
      {{.name = "a", .arguments = "one"}, {.name = "a", .arguments = "two"}, {.name = "b"}});
  const auto exec = program_->Instantiate(context_, graph);
  program_->LaunchGraph(context_, stream_, *exec);
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.windows, SizeIs(1));
  std::map<std::string, std::vector<std::string>> sets;
  for (const auto& inside : run.windows[0].inside) sets[inside.shape.kernel] = Sets(inside);
  EXPECT_THAT(sets["a"], ElementsAre("1 one", "1 two"));
  EXPECT_THAT(sets["b"], ElementsAre("1 "));
}

TEST_F(Arguments, OfAGraphThatIsNotCountedAreNotRead) {
  Start("--kernel other");
  const auto graph = program_->device().MakeGraph({{.name = "a", .arguments = "one"}});
  const auto exec = program_->Instantiate(context_, graph);
  program_->LaunchGraph(context_, stream_, *exec);
  EXPECT_EQ(program_->device().arguments_read(), 0U);
  End();
}

}  // namespace
}  // namespace coalcheck::testing

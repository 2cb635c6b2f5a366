// SPDX-License-Identifier: Apache-2.0
//
// What launches were called with, in the recording: those that were counted, and the others.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <thread>
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
  // "kernel: launches bytes, …; launches others", of each kernel.
  static std::vector<std::string> Uncounted(const recording::RecordedRun& run) {
    std::vector<std::string> kernels;
    for (const recording::Uncounted& one : run.uncounted) {
      std::string words;
      for (const recording::UncountedSet& set : one.sets) {
        words += (words.empty() ? "" : ", ") + std::to_string(set.arguments.launches.count()) +
                 " " + set.arguments.bytes;
      }
      kernels.push_back(one.kernel + ": " + words + "; " + std::to_string(one.others.count()) +
                        " others");
    }
    return kernels;
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

TEST_F(Arguments, OfLaunchesThatAreNotCountedAreKeptOnceForAll) {
  Start();
  for (const char* arguments : {"one", "one", "two", "one", "two"}) LaunchWith("copy", arguments);
  EXPECT_EQ(program_->arguments_read(), 1U);  // copied for a window
  const recording::RecordedRun run = End();
  EXPECT_THAT(Uncounted(run), ElementsAre("copy: 2 one, 2 two; 0 others"));
  EXPECT_EQ(run.uncounted[0].sets[0].arguments.size, Bytes(3));
}

TEST_F(Arguments, OfLaunchesThatAreNotCountedAreApartByKernelAndGrid) {
  Start();
  for (int i = 0; i < 2; ++i) {
    LaunchWith("a", "same");
    LaunchWith("b", "same");
    program_->Launch(context_, stream_, {{.name = "b", .arguments = "same"}, 7});
  }
  const recording::RecordedRun run = End();
  EXPECT_THAT(Uncounted(run), ElementsAre("a: 1 same; 0 others", "b: 1 same, 1 same; 0 others"));
  EXPECT_EQ(run.uncounted[1].sets[0].grid.x, 1U);
  EXPECT_EQ(run.uncounted[1].sets[1].grid.x, 7U);
}

TEST_F(Arguments, OfLaunchesThatAreNotCountedAreThoseOfTheFirst64Sets) {
  Start();
  for (int i = 0; i < 2; ++i) {
    for (int set = 100; set < 200; ++set) LaunchWith("copy", std::to_string(set));
  }
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.uncounted, SizeIs(1));
  ASSERT_THAT(run.uncounted[0].sets, SizeIs(recording::kMostUncountedSets));
  EXPECT_EQ(run.uncounted[0].sets.front().arguments.bytes, "101");
  EXPECT_EQ(run.uncounted[0].sets.front().arguments.launches, Launches(2));
  EXPECT_EQ(run.uncounted[0].sets.back().arguments.bytes, "164");
  EXPECT_EQ(run.uncounted[0].all(), Launches(199));
}

TEST_F(Arguments, OfLaunchesThatAreNotCountedTakeNoMoreThanTheirRoom) {
  Start();
  for (int kernel = 0; kernel < 100; ++kernel) {
    for (int set = 0; set < 60; ++set) {
      std::string large(recording::kMostArgumentBytes, 'x');
      large[0] = static_cast<char>(set);
      LaunchWith("k" + std::to_string(kernel), large);
    }
  }
  const recording::RecordedRun run = End();
  std::uint64_t kept = 0;
  Launches launches;
  for (const recording::Uncounted& one : run.uncounted) {
    for (const auto& set : one.sets) kept += set.arguments.bytes.size();
    launches += one.all();
  }
  EXPECT_LE(kept, agent::ArgumentRoom::kMostBytes);
  EXPECT_GE(kept, agent::ArgumentRoom::kMostBytes * 9 / 10);
  EXPECT_EQ(launches, Launches(100 * 59));
}

TEST_F(Arguments, OfKernelsThatAreNeverCountedAreNotKept) {
  Start("--kernel-exclude never");
  for (int i = 0; i < 3; ++i) LaunchWith("never", "secret");
  EXPECT_THAT(End().uncounted, IsEmpty());
}

TEST_F(Arguments, OfLaunchesThatAreNotCountedAreNotKeptWhereTheUserSaysSo) {
  Start("--record-arguments off");
  for (int i = 0; i < 3; ++i) LaunchWith("copy", "secret");
  EXPECT_THAT(End().uncounted, IsEmpty());
}

TEST_F(Arguments, OfLaunchesThatAreNotCountedAreInARecordingThatIsFlushed) {
  Start();
  for (int i = 0; i < 3; ++i) LaunchWith("copy", "same");
  program_->agent().Flush();
  EXPECT_THAT(Uncounted(program_->Read()), ElementsAre("copy: 2 same; 0 others"));
  LaunchWith("copy", "same");
  program_->agent().Flush();  // too few more to write them all again
  EXPECT_THAT(Uncounted(program_->Read()), ElementsAre("copy: 2 same; 0 others"));
  EXPECT_THAT(Uncounted(End()), ElementsAre("copy: 3 same; 0 others"));
}

TEST_F(Arguments, OfThreadsThatLaunchAtOnceAreAllCounted) {
  Start();
  LaunchWith("copy", "000");
  constexpr int kThreads = 4;
  constexpr int kLaunches = 500;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this] {
      for (int i = 0; i < kLaunches; ++i) LaunchWith("copy", std::to_string(100 + i % 80));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const recording::RecordedRun run = End();
  ASSERT_THAT(run.uncounted, SizeIs(1));
  EXPECT_THAT(run.uncounted[0].sets, SizeIs(recording::kMostUncountedSets));
  EXPECT_EQ(run.uncounted[0].all(), Launches(kThreads * kLaunches));
  EXPECT_GT(run.uncounted[0].others, Launches(0));
}

TEST_F(Arguments, OfReplaysOfAGraphAreThoseOfItsNodes) {
  Start();
  const auto graph = program_->device().MakeGraph(
      {{.name = "a", .arguments = "one"}, {.name = "a", .arguments = "two"}});
  const auto exec = program_->Instantiate(context_, graph);
  for (int i = 0; i < 4; ++i) program_->LaunchGraph(context_, stream_, *exec);
  EXPECT_THAT(Uncounted(End()), ElementsAre("a: 3 one, 3 two; 0 others"));
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

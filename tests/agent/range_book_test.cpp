// SPDX-License-Identifier: Apache-2.0
//
// Which ranges a launch is made in: per thread, per domain, and of the whole process.
#include "injection/agent/ranges/range_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace coalcheck::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

OpenRange Pushed(std::string name, std::string domain = "") {
  return {std::move(domain), std::move(name), RangeKind::kPushPop};
}

OpenRange Started(std::string name, std::string domain = "") {
  return {std::move(domain), std::move(name), RangeKind::kStartEnd};
}

std::vector<OpenRange> OpenNow(RangeBook& book) { return book.Describe(book.Current()); }

TEST(RangeBook, WithoutRangesTheSetIsNumberZero) {
  RangeBook book;
  EXPECT_EQ(book.Current(), RangeSetId(0));
  EXPECT_THAT(OpenNow(book), IsEmpty());
}

TEST(RangeBook, PushedRangesNestFromTheOutermostOn) {
  RangeBook book;
  EXPECT_EQ(book.Push("", "step"), RangeLevel(0));
  EXPECT_EQ(book.Push("", "forward"), RangeLevel(1));
  EXPECT_THAT(OpenNow(book), ElementsAre(Pushed("step"), Pushed("forward")));
  EXPECT_EQ(book.Pop(""), RangeLevel(1));
  EXPECT_THAT(OpenNow(book), ElementsAre(Pushed("step")));
  EXPECT_EQ(book.Pop(""), RangeLevel(0));
  EXPECT_EQ(book.Current(), RangeSetId(0));
}

TEST(RangeBook, LevelsAreCountedInEachDomain) {
  RangeBook book;
  EXPECT_EQ(book.Push("a", "x"), RangeLevel(0));
  EXPECT_EQ(book.Push("b", "y"), RangeLevel(0));
  EXPECT_EQ(book.Push("a", "z"), RangeLevel(1));
}

TEST(RangeBook, APopEndsTheInnermostRangeOfItsOwnDomain) {
  RangeBook book;
  book.Push("a", "x");
  book.Push("b", "y");
  EXPECT_EQ(book.Pop("a"), RangeLevel(0));
  EXPECT_THAT(OpenNow(book), ElementsAre(Pushed("y", "b")));
}

TEST(RangeBook, APopWithoutAPushIsCountedAndChangesNothing) {
  RangeBook book;
  book.Push("a", "x");
  EXPECT_EQ(book.Pop("b"), kUnbalanced);
  EXPECT_EQ(book.Pop(""), kUnbalanced);
  EXPECT_THAT(OpenNow(book), ElementsAre(Pushed("x", "a")));
  EXPECT_EQ(book.losses(), (RangeLosses{.unbalanced_pops = 2}));
}

TEST(RangeBook, ARangePopsOnTheThreadThatPushedIt) {
  RangeBook book;
  book.Push("", "mine");
  std::thread other([&] {
    EXPECT_EQ(book.Current(), RangeSetId(0));
    EXPECT_EQ(book.Pop(""), kUnbalanced);
    book.Push("", "its own");
    EXPECT_THAT(OpenNow(book), ElementsAre(Pushed("its own")));
  });
  other.join();
  EXPECT_THAT(OpenNow(book), ElementsAre(Pushed("mine")));
}

TEST(RangeBook, AStartedRangeIsOpenOnEveryThreadUntilAnyOneEndsIt) {
  RangeBook book;
  EXPECT_EQ(book.Current(), RangeSetId(0));
  const RangeKey epoch = book.Start("", "epoch");
  EXPECT_THAT(OpenNow(book), ElementsAre(Started("epoch")));
  std::thread other([&] {
    EXPECT_THAT(OpenNow(book), ElementsAre(Started("epoch")));
    book.End(epoch);
    EXPECT_EQ(book.Current(), RangeSetId(0));
  });
  other.join();
  EXPECT_EQ(book.Current(), RangeSetId(0));
}

TEST(RangeBook, StartedRangesFollowThePushedOnesInTheOrderOfTheirNames) {
  RangeBook book;
  book.Start("", "zebra");
  book.Push("", "mouse");
  book.Start("", "ape");
  book.Start("a domain", "yak");
  EXPECT_THAT(OpenNow(book), ElementsAre(Pushed("mouse"), Started("ape"), Started("zebra"),
                                         Started("yak", "a domain")));
}

TEST(RangeBook, ANameStartedTwiceIsInTheSetOnceUntilBothEnd) {
  RangeBook book;
  const RangeKey first = book.Start("", "batch");
  const RangeSetId one = book.Current();
  const RangeKey second = book.Start("", "batch");
  EXPECT_NE(first, second);
  EXPECT_EQ(book.Current(), one);
  book.End(first);
  EXPECT_EQ(book.Current(), one);
  book.End(second);
  EXPECT_EQ(book.Current(), RangeSetId(0));
}

TEST(RangeBook, AnUnknownKeyIsCounted) {
  RangeBook book;
  const RangeKey key = book.Start("", "x");
  book.End(key);
  book.End(key);
  book.End(RangeKey(0));
  book.End(RangeKey(~std::uint64_t{0}));
  EXPECT_EQ(book.losses(), (RangeLosses{.unknown_ends = 3}));
}

TEST(RangeBook, TheSameRangesHaveTheSameNumberOnEveryThread) {
  RangeBook book;
  book.Push("", "step");
  const RangeSetId step = book.Current();
  book.Push("", "inner");
  const RangeSetId inner = book.Current();
  EXPECT_NE(step, inner);
  book.Pop("");
  EXPECT_EQ(book.Current(), step);
  std::thread other([&] {
    book.Push("", "step");
    EXPECT_EQ(book.Current(), step);
  });
  other.join();
  EXPECT_THAT(book.Describe(inner), ElementsAre(Pushed("step"), Pushed("inner")));
}

TEST(RangeBook, KindDomainAndOrderTellSetsApart) {
  RangeBook book;
  book.Push("", "a");
  book.Push("", "b");
  const RangeSetId a_then_b = book.Current();
  book.Pop("");
  book.Pop("");
  book.Push("", "b");
  book.Push("", "a");
  EXPECT_NE(book.Current(), a_then_b);
  book.Pop("");
  const RangeSetId pushed = book.Current();
  book.Pop("");
  book.Push("d", "b");
  EXPECT_NE(book.Current(), pushed);
  book.Pop("d");
  book.Start("", "b");
  EXPECT_NE(book.Current(), pushed);
}

TEST(RangeBook, RangesThatAreNeverClosedAreCounted) {
  RangeBook book;
  std::thread([&] { book.Push("", "left open by a thread that is gone"); }).join();
  book.Push("", "closed");
  book.Pop("");
  book.Start("", "left open by the process");
  book.End(book.Start("", "ended"));
  EXPECT_EQ(book.opened(), Ranges(4));
  EXPECT_EQ(book.still_open(), Ranges(2));
}

TEST(RangeBook, ABookKnowsNothingOfAnother) {
  RangeBook one;
  one.Push("", "x");
  one.Start("", "y");
  RangeBook other;
  EXPECT_EQ(other.Current(), RangeSetId(0));
  EXPECT_EQ(other.Pop(""), kUnbalanced);
  EXPECT_EQ(other.opened(), Ranges(0));
}

TEST(RangeBook, ManyThreadsEachSeeTheirOwnRangesAndEverybodys) {
  RangeBook book;
  book.Start("", "run");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, name = "thread " + std::to_string(t)] {
      for (int i = 0; i < 2000; ++i) {
        book.Push("", name);
        const RangeKey key = book.Start("z", name);
        const std::vector<OpenRange> open = OpenNow(book);
        // Between the first two and its own last, the other threads' may be there too.
        if (open.size() < 3 || open[0] != Pushed(name) || open[1] != Started("run")) ++wrong;
        if (std::find(open.begin(), open.end(), Started(name, "z")) == open.end()) ++wrong;
        book.End(key);
        if (book.Pop("") != RangeLevel(0)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(book.opened(), Ranges(32001));
  EXPECT_EQ(book.still_open(), Ranges(1));
  EXPECT_EQ(book.losses(), RangeLosses{});
}

// In the child: 0 when `check` holds.
template <typename Check>
int InAForkedChild(RangeBook& book, Check check) {
  const pid_t child = fork();
  if (child == 0) {
    book.Forked();
    _exit(check() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(RangeBook, AForkedChildGoesOnInsideTheRangesItWasForkedIn) {
  RangeBook book;
  std::atomic<bool> pushed{false};
  std::atomic<bool> done{false};
  std::thread other([&] {
    book.Push("", "of a thread that the child lacks");
    pushed = true;
    while (!done) std::this_thread::yield();
  });
  while (!pushed) std::this_thread::yield();
  book.Push("", "step");
  EXPECT_EQ(InAForkedChild(
                book,
                [&] {
                  const bool counted = book.still_open() == Ranges(1);
                  book.Push("", "inner");
                  return counted && OpenNow(book) == std::vector{Pushed("step"), Pushed("inner")};
                }),
            0);
  done = true;
  other.join();
}

}  // namespace
}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// A program may open ranges without end and without order: what is kept of them stays bounded, and
// what is not kept is counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "injection/agent/ranges/range_book.h"

namespace coalcheck::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const OpenRange kOthers{"", std::string(kOtherRanges), RangeKind::kPushPop};

std::vector<OpenRange> OpenNowIn(RangeBook& book) { return book.Describe(book.Current()); }

TEST(RangeBookBounds, AMillionNamesFoldIntoOneOnceThereIsNoRoom) {
  RangeBook book;
  RangeSetId last;
  for (int i = 0; i < 1'000'000; ++i) {
    book.Push("", "iteration " + std::to_string(i));
    last = book.Current();
    book.Pop("");
  }
  EXPECT_THAT(book.Describe(last), ElementsAre(kOthers));
  EXPECT_EQ(last, RangeSetId(kMaxRangeNames + 1));
  EXPECT_EQ(book.opened(), Ranges(1'000'000));
  EXPECT_EQ(book.still_open(), Ranges(0));
  EXPECT_EQ(book.losses(), (RangeLosses{.folded_names = 1'000'000 - kMaxRangeNames}));
}

TEST(RangeBookBounds, NamesThatHadRoomAreStillToldApart) {
  RangeBook book;
  for (std::size_t i = 0; i < kMaxRangeNames + 10; ++i) {
    book.Push("", "iteration " + std::to_string(i));
    book.Pop("");
  }
  book.Push("", "iteration 7");
  book.Push("new domain", "x");
  EXPECT_THAT(OpenNowIn(book),
              ElementsAre(OpenRange{"", "iteration 7", RangeKind::kPushPop},
                          OpenRange{"new domain", std::string(kOtherRanges), RangeKind::kPushPop}));
}

TEST(RangeBookBounds, TooManyDomainsFoldAndTheirPopsStillMatch) {
  RangeBook book;
  for (int i = 0; i < 1000; ++i) {
    const std::string domain = "domain " + std::to_string(i);
    ASSERT_EQ(book.Push(domain, "x"), RangeLevel(0));
    ASSERT_EQ(book.Pop(domain), RangeLevel(0));
  }
  book.Push("domain 999", "x");
  EXPECT_THAT(OpenNowIn(book), ElementsAre(OpenRange{std::string(kOtherDomains), "x"}));
  EXPECT_EQ(book.losses(), (RangeLosses{.folded_names = 1001 - kMaxDomains}));
}

TEST(RangeBookBounds, ALongNameIsCutButNotInsideACharacter) {
  RangeBook book;
  const std::string plain(kMaxNameBytes - 1, 'a');
  book.Push("", plain + "\u00e9");  // two bytes, of which one would fit
  book.Push("", std::string(10'000, 'b'));
  book.Push(std::string(10'000, 'd'), "x");
  const std::vector<OpenRange> open = OpenNowIn(book);
  ASSERT_THAT(open, SizeIs(3));
  EXPECT_EQ(open[0].name, plain);
  EXPECT_EQ(open[1].name, std::string(kMaxNameBytes, 'b'));
  EXPECT_EQ(open[2].domain, std::string(kMaxNameBytes, 'd'));
  EXPECT_EQ(book.Pop(std::string(10'000, 'd')), RangeLevel(0));
}

TEST(RangeBookBounds, WhatIsNotUtf8IsCutAllTheSame) {
  EXPECT_EQ(CutName(std::string(1000, '\x80')).size(), kMaxNameBytes);
}

TEST(RangeBookBounds, DeepRangesKeepTheirLevelsWithoutTheirNames) {
  RangeBook book;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(book.Push("", "deep"), RangeLevel(i));
  EXPECT_THAT(OpenNowIn(book), SizeIs(kMaxNamedDepth));
  EXPECT_EQ(book.losses(), (RangeLosses{.unnamed = 1000 - kMaxNamedDepth}));
  for (int i = 999; i >= 0; --i) ASSERT_EQ(book.Pop(""), RangeLevel(i));
  EXPECT_EQ(book.Pop(""), kUnbalanced);
  EXPECT_EQ(book.Current(), RangeSetId(0));
  EXPECT_EQ(book.still_open(), Ranges(0));
}

TEST(RangeBookBounds, ARangeAboveATooDeepOneOfItsDomainIsTooDeepItself) {
  RangeBook book;
  book.Push("other", "bottom");
  for (std::size_t i = 1; i < kMaxNamedDepth; ++i) book.Push("", "kept");
  book.Push("", "too deep");
  book.Pop("other");  // there is room again
  book.Push("", "last");
  EXPECT_EQ(book.Pop(""), RangeLevel(64));
  EXPECT_EQ(book.Pop(""), RangeLevel(63));
  EXPECT_THAT(OpenNowIn(book), SizeIs(kMaxNamedDepth - 1));
  EXPECT_EQ(OpenNowIn(book).back().name, "kept");
}

TEST(RangeBookBounds, TooManySetsFoldIntoOne) {
  RangeBook book;
  // 200 names, two deep: 40,000 sets.
  for (int i = 0; i < 200; ++i) {
    book.Push("", std::to_string(i));
    for (int j = 0; j < 200; ++j) {
      book.Push("", std::to_string(j));
      book.Current();
      book.Pop("");
    }
    book.Pop("");
  }
  book.Push("", "199");
  book.Push("", "199");
  EXPECT_EQ(book.Current(), kOtherSets);
  EXPECT_THAT(OpenNowIn(book), ElementsAre(kOthers));
  book.Pop("");
  book.Pop("");
  book.Push("", "0");
  book.Push("", "1");
  EXPECT_THAT(OpenNowIn(book), ElementsAre(OpenRange{"", "0"}, OpenRange{"", "1"}));
  EXPECT_GE(book.losses().folded_sets, 40'000 - kMaxRangeSets);
}

TEST(RangeBookBounds, RangesStartedAndNeverEndedStayBounded) {
  RangeBook book;
  std::vector<RangeKey> keys;
  for (int i = 0; i < 10'000; ++i) keys.push_back(book.Start("", "batch"));
  EXPECT_EQ(book.losses(), (RangeLosses{.unnamed = 10'000 - kMaxStarted}));
  EXPECT_EQ(book.still_open(), Ranges(10'000));
  for (const RangeKey key : keys) book.End(key);
  EXPECT_EQ(book.still_open(), Ranges(0));
  EXPECT_EQ(book.losses().unknown_ends, 0);
  EXPECT_EQ(book.Current(), RangeSetId(0));
  book.End(keys.back());
  EXPECT_EQ(book.losses().unknown_ends, 1);
}

TEST(RangeBookBounds, ASetNamesNoMoreThanSomeStartedRanges) {
  RangeBook book;
  for (std::size_t i = 0; i < kMaxStartedInSet; ++i) book.Start("", std::to_string(i));
  EXPECT_THAT(OpenNowIn(book), SizeIs(kMaxStartedInSet));
  EXPECT_EQ(book.losses().folded_sets, 0);
  book.Start("", "one more");
  const std::vector<OpenRange> open = OpenNowIn(book);
  EXPECT_THAT(open, SizeIs(kMaxStartedInSet + 1));
  EXPECT_EQ(open.back(), (OpenRange{"", std::string(kOtherRanges), RangeKind::kStartEnd}));
  EXPECT_EQ(book.losses().folded_sets, 1);
}

TEST(RangeBookBounds, WantedNamesAndSetsHaveRoomOfTheirOwnThatEndsToo) {
  RangeBook book;
  book.Want([](std::string_view name) { return name.starts_with("wanted"); });
  for (std::size_t i = 0; i < kMaxRangeNames; ++i) {
    book.Push("", "step " + std::to_string(i));
    book.Pop("");
  }
  for (std::size_t i = 0; i < kMaxRangeNames + 10; ++i) {
    book.Push("", "wanted " + std::to_string(i));
    const std::vector<OpenRange> open = book.Describe(book.Current());
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].name == kOtherRanges, i >= kMaxRangeNames) << i;
    book.Pop("");
  }
  EXPECT_EQ(book.losses().folded_names, 10U);
}

}  // namespace
}  // namespace coalcheck::agent

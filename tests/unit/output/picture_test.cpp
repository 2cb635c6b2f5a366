// SPDX-License-Identifier: Apache-2.0
//
// A picture shows a request that has the pattern, by the sector model's own count.
#include "libcoalcheck/output/html/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/output/html/pictures.h"

namespace coalcheck::output {
namespace {

using patterns::Pattern;
using ::testing::HasSubstr;

struct Drawn {
  std::uint64_t sectors = 0;
  std::uint64_t lines = 0;
  friend bool operator==(const Drawn&, const Drawn&) = default;
};

Drawn Count(Pattern pattern, std::uint64_t parameter, std::uint64_t width = 4,
            std::uint64_t lanes = 32) {
  const auto request =
      ExampleRequest({pattern, {parameter, parameter}}, Bytes(width), Lanes(lanes));
  if (!request) return {};
  const sectors::RequestCounts counts = sectors::Count(*request);
  return {counts.sectors.count(), counts.lines.count()};
}

TEST(ExampleRequest, TouchesWhatItsPatternSays) {
  EXPECT_EQ(Count(Pattern::kCoalesced, 0), (Drawn{4, 1}));
  EXPECT_EQ(Count(Pattern::kCoalesced, 0, 16), (Drawn{16, 4}));
  EXPECT_EQ(Count(Pattern::kNarrow, 0, 1), (Drawn{1, 1}));
  EXPECT_EQ(Count(Pattern::kMisaligned, 4), (Drawn{5, 2}));
  EXPECT_EQ(Count(Pattern::kRuns, 8), (Drawn{4, 4}));
  EXPECT_EQ(Count(Pattern::kBroadcast, 32), (Drawn{1, 1}));
  EXPECT_EQ(Count(Pattern::kStrided, 128), (Drawn{32, 32}));
  EXPECT_EQ(Count(Pattern::kStructField, 12), (Drawn{12, 3}));
  EXPECT_EQ(Count(Pattern::kPaddedStruct, 32), (Drawn{32, 8}));
  EXPECT_EQ(Count(Pattern::kScattered, 0), (Drawn{32, 32}));
  EXPECT_EQ(Count(Pattern::kAtomicsApart, 0), (Drawn{32, 32}));
  EXPECT_EQ(Count(Pattern::kPartialWarps, 0, 4, 4), (Drawn{4, 1})) << "one lane in each sector";
}

TEST(ExampleRequest, AnIntervalIsDrawnByItsFirstPowerOfTwo) {
  const auto request =
      ExampleRequest({Pattern::kStrided, {124, std::nullopt}}, Bytes(4), Lanes(32));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->address[1], 128U);
  EXPECT_EQ(ExampleRequest({Pattern::kStrided, {33, 40}}, Bytes(4), Lanes(32))->address[1], 33U);
}

TEST(ExampleRequest, WhatSaysNothingOfAddressesIsNotDrawn) {
  EXPECT_FALSE(ExampleRequest({Pattern::kUnknown, {0, 0}}, Bytes(4), Lanes(32)));
  EXPECT_FALSE(ExampleRequest({Pattern::kLocalSpills, {0, 0}}, Bytes(4), Lanes(32)));
  EXPECT_FALSE(ExampleRequest({Pattern::kStrided, {8, 8}}, Bytes(0), Lanes(32))) << "mixed widths";
  EXPECT_FALSE(ExampleRequest({Pattern::kStrided, {8, 8}}, Bytes(1'000'000), Lanes(32)));
}

std::optional<Picture> PictureOf(const patterns::Share& share) {
  return DrawPattern(share.pattern.candidates.front(), share.width, ActiveOf(share));
}

TEST(ExampleRequest, EveryParameterThatARecordingCanHoldIsDrawn) {
  for (int i = 0; i < patterns::kPatterns; ++i) {
    for (const std::uint64_t parameter : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      patterns::Share share;
      share.pattern.candidates = {{static_cast<Pattern>(i), {parameter, std::nullopt}}};
      share.width = Bytes(16);
      share.counts = {Requests(1), Lanes(~std::uint64_t{0}), Sectors(9), Sectors(1), CacheLines(9)};
      const auto picture = PictureOf(share);
      if (picture) {
        EXPECT_THAT(picture->label, HasSubstr("32 lanes of 16 bytes"));
      }
    }
  }
}

TEST(DrawPattern, SaysInWordsWhatItShows) {
  patterns::Share share;
  share.pattern.candidates = {{Pattern::kMisaligned, {4, 4}}};
  share.width = Bytes(4);
  share.counts = {Requests(1), Lanes(32), Sectors(5), Sectors(4), CacheLines(2)};
  const auto picture = PictureOf(share);
  ASSERT_TRUE(picture);
  EXPECT_THAT(picture->label,
              HasSubstr(": 32 lanes of 4 bytes touch 5 sectors in 2 lines, where 4 would do"));
  std::size_t touched = 0;
  for (std::size_t at = 0; (at = picture->svg.find("\"touched\"", at)) != std::string::npos; ++at) {
    ++touched;
  }
  EXPECT_EQ(touched, 5U);
}

TEST(Pictures, OfManyFindingsThatLookAlikeOneIsDrawn) {
  static int drawn = 0;
  html::Pictures pictures([](const patterns::Candidate& candidate, Bytes width, Lanes active) {
    ++drawn;
    return DrawPattern(candidate, width, active);
  });
  patterns::Share share;
  share.pattern.candidates = {{Pattern::kStrided, {128, 128}}};
  share.width = Bytes(4);
  for (std::uint64_t requests = 1; requests <= 1000; ++requests) {
    share.counts.requests = Requests(requests);
    share.counts.lanes = Lanes(32 * requests);
    EXPECT_THAT(pictures.Figure(share), HasSubstr("32 lanes of 4 bytes"));
  }
  EXPECT_EQ(drawn, 1);
  share.width = Bytes(8);
  EXPECT_THAT(pictures.Figure(share), HasSubstr("32 lanes of 8 bytes"));
  EXPECT_EQ(drawn, 2);
}

}  // namespace
}  // namespace coalcheck::output

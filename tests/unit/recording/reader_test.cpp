// SPDX-License-Identifier: Apache-2.0
//
// The reader on recordings that are damaged, foreign, newer, doubled or out of order.
#include "libcoalcheck/recording/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/recording/json_line.h"

namespace coalcheck::recording {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string HeaderLine() {
  Header header;
  header.tool_version = "9.9.9";
  header.counters = {"sectors", "ideal_sectors"};
  return ToJsonLine(header);
}

std::string WindowLine(std::uint64_t id, std::uint64_t sectors = 32) {
  Window window;
  window.window = WindowId(id);
  window.functions = {{CubinId(1), "k", {{PcOffset(16), {sectors, 4}}}}};
  return ToJsonLine(window);
}

std::string TallyLine(std::uint64_t launches) {
  return ToJsonLine(Tally{{"k", {}, {}}, Launches(launches), Launches(1), {}});
}

RecordedRun Parse(const std::string& bytes) {
  auto run = ParseRecords(bytes);
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : RecordedRun{};
}

// The header, a window, `line`, another window: one bad line must cost exactly itself.
void ExpectOnlyLoses(const std::string& line, LineLoss why, const std::string& detail = "") {
  const RecordedRun run = Parse(HeaderLine() + WindowLine(1) + line + "\n" + WindowLine(2));
  EXPECT_THAT(run.windows, SizeIs(2)) << line;
  ASSERT_THAT(run.lost_lines, SizeIs(1)) << line;
  EXPECT_EQ(run.lost_lines[0].why, why) << line;
  EXPECT_EQ(run.lost_lines[0].lines, 1U);
  EXPECT_EQ(run.lost_lines[0].first_line, 3U);
  EXPECT_THAT(run.lost_lines[0].first_detail, HasSubstr(detail));
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return text;
}

std::string BadWindow(std::string_view from, std::string_view to) {
  const std::string line = Replaced(WindowLine(3), from, to);
  return line.substr(0, line.size() - 1);
}

TEST(Reader, ASourceOfNoLineOfAFileLosesOnlyItself) {
  const std::string line = R"({"record":"source","file":"a.cu","first_line":1,"text":"x"})";
  EXPECT_THAT(Parse(HeaderLine() + line + "\n").sources, SizeIs(1));
  ExpectOnlyLoses(Replaced(line, ":1", ":0"), LineLoss::kBadField, "first_line");
  ExpectOnlyLoses(Replaced(line, ":1", ":4294967296"), LineLoss::kBadField, "first_line");
  ExpectOnlyLoses(Replaced(line, "a.cu", ""), LineLoss::kBadField, "file");
  ExpectOnlyLoses(Replaced(line, ",\"text\":\"x\"", ""), LineLoss::kBadField, "text");
}

TEST(Reader, SourcesBeyondTheMostTextOrPiecesAreCountedAndPassedOver) {
  const std::string text = HeaderLine() +
                           ToJsonLine(Source{"a", 1, std::string(kMostSourceText - 3, 'x')}) +
                           ToJsonLine(Source{"b", 1, "yyy"}) + ToJsonLine(Source{"c", 1, ""});
  EXPECT_THAT(Parse(text).sources, SizeIs(1));
  ASSERT_THAT(Parse(text).lost_lines, SizeIs(1));
  EXPECT_EQ(Parse(text).lost_lines[0].why, LineLoss::kTooManySources);
  EXPECT_EQ(Parse(text).lost_lines[0].lines, 2U);
  std::string pieces = HeaderLine();
  for (std::uint32_t i = 1; i <= kMostSources + 5; ++i) pieces += ToJsonLine(Source{"a", i, "x"});
  EXPECT_THAT(Parse(pieces).sources, SizeIs(kMostSources));
  EXPECT_EQ(Parse(pieces).lost_lines[0].lines, 5U);
}

TEST(Reader, ALineThatIsNoJsonLosesOnlyItself) {
  ExpectOnlyLoses("}{", LineLoss::kNotJson);
  ExpectOnlyLoses(std::string(100, '\0'), LineLoss::kNotJson);
  ExpectOnlyLoses("42", LineLoss::kNotJson);
  ExpectOnlyLoses("{\"record\":\"\xFF\"}", LineLoss::kNotJson);
  ExpectOnlyLoses("{\"record\":\"end\",\"seconds\":1e999}", LineLoss::kNotJson);
}

TEST(Reader, AWindowWithCountsThatNoGpuCanHaveMadeIsLost) {
  ExpectOnlyLoses(BadWindow("[16,32,4]", "[16,100,524288]"), LineLoss::kBadField,
                  "at pc 16: 524288 ideal sectors of 100 touched");
  ExpectOnlyLoses(BadWindow("[16,32,4]", "[16,18446744073709551615,4]"), LineLoss::kBadField,
                  "more than a window can count");
  const std::string half = "36028797018963968";
  ExpectOnlyLoses(BadWindow("[16,32,4]", "[16," + half + ",4],[32," + half + ",4],[48,1,1]"),
                  LineLoss::kBadField, "at pc 48: more than a window can count");
}

TEST(Reader, NoRequestTouchesMoreSectorsThanItsLanesCan) {
  Header header;
  header.counters = {"sectors", "requests", "async_requests"};
  const auto lost = [&](std::uint64_t sectors, std::uint64_t requests, std::uint64_t async) {
    Window window;
    window.functions = {{CubinId(1), "k", {{PcOffset(16), {sectors, requests, async}}}}};
    const RecordedRun run = Parse(ToJsonLine(header) + ToJsonLine(window));
    return run.lost_lines.empty() ? "" : run.lost_lines[0].first_detail;
  };
  EXPECT_EQ(lost(640, 10, 0), "");
  EXPECT_EQ(lost(640, 4, 6), "");
  EXPECT_THAT(lost(641, 10, 0), HasSubstr("641 sectors of 10 requests"));
}

TEST(Reader, AFieldThatIsMissingWrongOrOutOfRangeIsNamed) {
  ExpectOnlyLoses("{}", LineLoss::kBadField, "\"record\" is missing");
  ExpectOnlyLoses(BadWindow("\"window\":3", "\"widow\":3"), LineLoss::kBadField,
                  "\"window\" is missing");
  ExpectOnlyLoses(BadWindow("\"window\":3", "\"window\":-3"), LineLoss::kBadField,
                  "\"window\" is not a whole number");
  ExpectOnlyLoses(BadWindow("\"window\":3", "\"window\":18446744073709551616"), LineLoss::kBadField,
                  "\"window\"");
  ExpectOnlyLoses(BadWindow("\"device\":0", "\"device\":4294967296"), LineLoss::kBadField,
                  "\"device\" is not a whole number from 0 to 4294967295");
  ExpectOnlyLoses(BadWindow("\"launch\"", "\"lunch\""), LineLoss::kBadField, "\"kind\"");
  ExpectOnlyLoses(BadWindow("0000000000000001", "000000000000000X"), LineLoss::kBadField,
                  "\"cubin\" is not sixteen");
  ExpectOnlyLoses(BadWindow("\"functions\":[", "\"functions\":[7,"), LineLoss::kBadField,
                  "no object");
}

TEST(Reader, RowsMustMatchTheCountersOfTheHeader) {
  for (const char* row : {"[16,32]", "[16,32,4,1]", "[16,32,-4]", "[16,32,4.5]", "[16,\"32\",4]",
                          "[4294967296,32,4]", "[]", "7"}) {
    ExpectOnlyLoses(BadWindow("[16,32,4]", row), LineLoss::kBadField, "one count for each counter");
  }
}

TEST(Reader, GridsNeedThreeSizes) {
  for (const char* grid : {"[1,1]", "[1,1,1,1]", "[1,1,4294967296]", "[1,1,\"x\"]", "1"}) {
    std::string line = Replaced(TallyLine(1), "[1,1,1]", grid);
    line.pop_back();
    ExpectOnlyLoses(line, LineLoss::kBadField, "\"grid\"");
  }
}

TEST(Reader, AnUnknownRecordIsCountedAndPassedOver) {
  ExpectOnlyLoses(R"({"record":"from_the_future","x":1})", LineLoss::kUnknownRecord);
}

TEST(Reader, UnknownFieldsAreIgnored) {
  const std::string line = Replaced(WindowLine(1), "\"window\":1", "\"window\":1,\"new\":[{}]");
  const RecordedRun run = Parse(HeaderLine() + line);
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.lost_lines, IsEmpty());
}

TEST(Reader, DeepNestingIsRefusedWithoutBeingParsed) {
  ExpectOnlyLoses("{\"record\":" + std::string(1000000, '['), LineLoss::kTooDeep);
  ExpectOnlyLoses("{\"record\":\"x\",\"y\":" + std::string(8, '[') + std::string(8, ']') + "}",
                  LineLoss::kTooDeep);
}

TEST(Reader, BracketsInsideStringsAreNoNesting) {
  const std::string line = ToJsonLine(Loss{"\\\"[[[[[[[[[[[[", "{{{{{{{{{{{{", 1});
  const RecordedRun run = Parse(HeaderLine() + line);
  ASSERT_THAT(run.losses, SizeIs(1));
  EXPECT_EQ(run.losses[0].what, "\\\"[[[[[[[[[[[[");
}

TEST(Reader, AnOversizedLineIsRefusedWithoutBeingParsed) {
  ExpectOnlyLoses("{\"record\":\"" + std::string(kMaxLineBytes, 'x') + "\"}", LineLoss::kTooLong);
}

TEST(Reader, ATornLastLineIsACountedLoss) {
  const std::string window = WindowLine(2);
  const RecordedRun run = Parse(HeaderLine() + WindowLine(1) + window.substr(0, 50));
  EXPECT_THAT(run.windows, SizeIs(1));
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kCutShort);
  EXPECT_EQ(run.lost_lines[0].first_line, 3U);
}

TEST(Reader, ALastLineThatLacksOnlyItsEndIsWhole) {
  const std::string window = WindowLine(2);
  const RecordedRun run = Parse(HeaderLine() + window.substr(0, window.size() - 1));
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.lost_lines, IsEmpty());
}

TEST(Reader, EmptyLinesAndCarriageReturnsAreNoLoss) {
  const RecordedRun run =
      Parse("\n" + HeaderLine() + "\n\r\n" + Replaced(WindowLine(1), "\n", "\r\n"));
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.lost_lines, IsEmpty());
}

TEST(Reader, AWindowThatComesTwiceCountsOnce) {
  const RecordedRun run = Parse(HeaderLine() + WindowLine(1, 32) + WindowLine(1, 64));
  ASSERT_THAT(run.windows, SizeIs(1));
  EXPECT_EQ(run.windows[0].functions[0].rows[0].values[0], 32U);
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kDuplicateWindow);
}

TEST(Reader, RecordsBeforeTheHeaderAreRead) {
  const RecordedRun run = Parse(WindowLine(1) + TallyLine(3) + HeaderLine());
  EXPECT_THAT(run.windows, SizeIs(1));
  EXPECT_THAT(run.tallies, SizeIs(1));
  EXPECT_THAT(run.lost_lines, IsEmpty());
}

// Numbers at which tables of RapidJSON end; all are read, and refused as what they stand for.
TEST(Reader, NumbersThatNoDoubleHoldCostTheirLineAndNoMore) {
  const std::string zeros(60, '0');
  for (const std::string& number :
       {std::string("1.0000000000000001e-341"), std::string("97000190.970600309e-341"),
        "0." + zeros + "1e1", std::string("1e400"), std::string("18446744073709551616")}) {
    const RecordedRun run =
        Parse(HeaderLine() + "{\"record\":\"loss\",\"what\":\"x\",\"count\":" + number + "}\n");
    ASSERT_THAT(run.lost_lines, SizeIs(1)) << number;
    EXPECT_THAT(run.losses, IsEmpty()) << number;
  }
}

TEST(Reader, TextThatIsNoUtf8CostsItsLineHoweverItIsWritten) {
  for (const char* text : {"\\udc00", "\\ud800", "\xED\xB0\x80", "\xFF"}) {
    const RecordedRun run =
        Parse(HeaderLine() + "{\"record\":\"loss\",\"what\":\"" + text + "\",\"count\":1}\n");
    ASSERT_THAT(run.lost_lines, SizeIs(1)) << text;
    EXPECT_THAT(run.losses, IsEmpty()) << text;
  }
}

TEST(Reader, ALineWithAZeroByteIsNoJson) {
  const RecordedRun run = Parse(HeaderLine() + std::string("{}\0{}\n", 6));
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kNotJson);
}

TEST(Reader, ASecondHeaderIsALostLine) {
  const RecordedRun run = Parse(HeaderLine() + HeaderLine());
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kSecondHeader);
}

TEST(Reader, TheLargestTallyOfAShapeIsTheLastWord) {
  for (const std::string& tallies :
       {TallyLine(3) + TallyLine(200), TallyLine(200) + TallyLine(3)}) {
    const RecordedRun run = Parse(HeaderLine() + tallies);
    ASSERT_THAT(run.tallies, SizeIs(1));
    EXPECT_EQ(run.tallies[0].launches, Launches(200));
  }
}

TEST(Reader, LossesAreCumulativeByCauseAndDetail) {
  const RecordedRun run =
      Parse(HeaderLine() + ToJsonLine(Loss{"window_lost", "", 2}) +
            ToJsonLine(Loss{"window_lost", "", 5}) + ToJsonLine(Loss{"window_lost", "x", 1}));
  ASSERT_THAT(run.losses, SizeIs(2));
  EXPECT_EQ(run.losses[0].count, 5U);
}

TEST(Reader, ForeignInputIsNamedAsSuch) {
  for (const char* bytes : {"\x7f"
                            "ELF\x02\x01",
                            "{\"json\":1}\n", "hello\nworld\n", "[]"}) {
    const auto run = ParseRecords(bytes);
    ASSERT_FALSE(run.ok()) << bytes;
    EXPECT_EQ(run.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(run.status().message()),
                HasSubstr("this is not a coalcheck recording"));
  }
}

TEST(Reader, AnEmptyFileSaysSo) {
  EXPECT_THAT(std::string(ParseRecords("").status().message()),
              HasSubstr("the recording is empty"));
}

TEST(Reader, ANewerMajorVersionNamesBothVersionsAndTheRemedy) {
  const auto run = ParseRecords(Replaced(HeaderLine(), "\"major\":1", "\"major\":2"));
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(run.status().message()),
              AllOf(HasSubstr("version 2.10"), HasSubstr("reads version 1"),
                    HasSubstr("read it with the coalcheck 9.9.9 that wrote it")));
}

TEST(Reader, ANewerMajorVersionIsNamedEvenWhenItsOtherFieldsChanged) {
  const auto run = ParseRecords(
      R"({"record":"header","format":"coalcheck-recording","major":7,"counters":{"a":1}})");
  EXPECT_EQ(run.status().code(), absl::StatusCode::kUnimplemented);
}

TEST(Reader, ANewerMinorVersionIsRead) {
  const RecordedRun run =
      Parse(Replaced(HeaderLine(), "\"minor\":10", "\"minor\":11") + WindowLine(1));
  EXPECT_EQ(run.header.minor, 11U);
  EXPECT_THAT(run.windows, SizeIs(1));
}

TEST(Reader, OfTwoPcSamplingsOfOneNumberTheFirstCounts) {
  const PcSampling first{PcSamplingId(1), {}, {}, Cycles(64), {}, {"a"}};
  const PcSampling second{PcSamplingId(1), {}, {}, Cycles(128), {}, {"b"}};
  const RecordedRun run = Parse(HeaderLine() + ToJsonLine(first) + ToJsonLine(second));
  ASSERT_THAT(run.pc_samplings, SizeIs(1));
  EXPECT_EQ(run.pc_samplings[0].period, Cycles(64));
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kDuplicatePcSampling);
}

TEST(Reader, APcSamplingWithoutAPeriodIsRefused) {
  const PcSampling without{PcSamplingId(1), {}, {}, Cycles(0), {}, {}};
  const RecordedRun run = Parse(HeaderLine() + ToJsonLine(without));
  EXPECT_THAT(run.pc_samplings, SizeIs(0));
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].why, LineLoss::kBadField);
}

TEST(Reader, AHeaderWithMoreCountersThanAnyGpuHasIsRefused) {
  Header header;
  for (int i = 0; i < 256; ++i) header.counters.push_back("c" + std::to_string(i));
  EXPECT_TRUE(ParseRecords(ToJsonLine(header)).ok());
  header.counters.emplace_back("one more");
  EXPECT_THAT(std::string(ParseRecords(ToJsonLine(header)).status().message()),
              HasSubstr("at most 256 names"));
}

TEST(Reader, AHeaderThatNamesACounterTwiceIsRefused) {
  Header header;
  header.counters = {"sectors", "ideal_sectors", "sectors"};
  EXPECT_THAT(std::string(ParseRecords(ToJsonLine(header)).status().message()),
              HasSubstr("each name once"));
}

TEST(Reader, ANumberOfRanksThatStandsForUnknownIsRefused) {
  Header header;
  header.job.rank = 0;
  header.job.world_size = 4'294'967'295;
  EXPECT_THAT(std::string(ParseRecords(ToJsonLine(header)).status().message()),
              HasSubstr("below 4294967295"));
}

TEST(Reader, RangesBeyondTheMostOfARecordingAreLost) {
  RangeSet set;
  set.open.assign(250, {"", "r", RangeKind::kPushPop});
  std::string text = HeaderLine();
  for (std::uint32_t i = 1; i <= 2001; ++i) {
    set.ranges = RangeSetId(i);
    text += ToJsonLine(set);
  }
  const RecordedRun run = Parse(text);
  EXPECT_THAT(run.range_sets, SizeIs(2000));
  ASSERT_THAT(run.lost_lines, SizeIs(1));
  EXPECT_EQ(run.lost_lines[0].first_detail, "more ranges than a recording may have");
}

TEST(Reader, ADamagedHeaderSaysWhatIsWrong) {
  const auto run = ParseRecords(Replaced(HeaderLine(), "\"counters\":[", "\"counters\":[7,"));
  ASSERT_FALSE(run.ok());
  EXPECT_THAT(std::string(run.status().message()),
              AllOf(HasSubstr("header (line 1) is damaged"), HasSubstr("\"counters\"")));
}

}  // namespace
}  // namespace coalcheck::recording

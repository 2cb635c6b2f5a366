// SPDX-License-Identifier: Apache-2.0
//
// Records become lines that are valid JSON whatever bytes their strings hold.
#include "libcoalcheck/recording/json_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "libcoalcheck/recording/json_text.h"

namespace coalcheck::recording {
namespace {

using ::testing::HasSubstr;

std::string Quoted(std::string_view bytes) {
  std::string out;
  AppendJsonString(out, bytes);
  return out;
}

TEST(JsonText, Utf8StaysReadable) { EXPECT_EQ(Quoted("Grüße ≥ 🙂"), "\"Grüße ≥ 🙂\""); }

TEST(JsonText, QuotesAndControlCharactersAreEscaped) {
  EXPECT_EQ(Quoted(std::string_view("a\"\\\n\t\0\x1f\x7f", 8)), R"("a\"\\\n\t\u0000\u001f\u007f")");
}

TEST(JsonText, AByteThatIsNoUtf8BecomesItsPrivateUseCharacter) {
  EXPECT_EQ(Quoted("a\xFF"), "\"a\xEE\xBF\xBF\"");  // U+EFFF
  EXPECT_EQ(Quoted("\x80z"), "\"\xEE\xBE\x80z\"");  // U+EF80
}

TEST(JsonText, OverlongSurrogateAndTruncatedFormsAreNotUtf8) {
  for (const std::string_view bytes :
       {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x89"}) {
    EXPECT_EQ(Quoted(bytes).size(), 2 + 3 * bytes.size()) << Quoted(bytes);
  }
}

TEST(JsonText, EveryPairOfBytesComesBack) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(first), static_cast<char>(second)};
      const std::string quoted = Quoted(bytes);
      if (quoted.find('\\') != std::string::npos) continue;  // the JSON parser's part
      EXPECT_EQ(RestoreBytes(quoted.substr(1, quoted.size() - 2)), bytes);
    }
  }
}

TEST(JsonText, AGenuinePrivateUseCharacterIsNotMistakenForAByte) {
  const std::string genuine = "\xEE\xBF\xBF";
  const std::string quoted = Quoted(genuine);
  EXPECT_NE(quoted, "\"" + genuine + "\"");
  EXPECT_EQ(RestoreBytes(quoted.substr(1, quoted.size() - 2)), genuine);
}

TEST(JsonLine, HeaderNamesFormatAndVersionFirst) {
  Header header;
  header.program = "/bin/app";
  header.arguments = {"app", "two words"};
  header.pid = 7;
  header.counters = {"requests", "sectors"};
  EXPECT_EQ(ToJsonLine(header),
            R"({"record":"header","format":"coalcheck-recording","major":1,"minor":10,)"
            R"("tool_version":"","program":"/bin/app","arguments":["app","two words"],)"
            R"("working_directory":"","host":"","pid":7,"started":"","sampling":"",)"
            R"("counters":["requests","sectors"]})"
            "\n");
}

TEST(JsonLine, WindowRowsAreArraysOfPcAndValues) {
  Window window;
  window.window = WindowId(3);
  window.close = WindowClose::kLate;
  window.inside.push_back({{"k", {2, 1, 1}, {32, 8, 1}}, Launches(1)});
  FunctionCounts known{CubinId(0xAB), "k", {{PcOffset(16), {1, 32}}, {PcOffset(48), {2, 64}}}};
  FunctionCounts unknown{std::nullopt, "f", {}};
  window.functions = {known, unknown};
  EXPECT_EQ(
      ToJsonLine(window),
      R"({"record":"window","window":3,"kind":"launch","close":"late","device":0,"context":0,)"
      R"("first_launch":0,"inside":[{"kernel":"k","grid":[2,1,1],"block":[32,8,1],)"
      R"("launches":1}],"dropped_records":0,"functions":[{"cubin":"00000000000000ab",)"
      R"("function":"k","rows":[[16,1,32],[48,2,64]]},)"
      R"({"cubin":null,"function":"f","rows":[]}]})"
      "\n");
}

TEST(JsonLine, TallyListsReasons) {
  const Tally tally{{"k", {}, {}}, Launches(10), Launches(1), {{"sampling", Launches(9)}}};
  EXPECT_EQ(ToJsonLine(tally),
            R"({"record":"tally","kernel":"k","grid":[1,1,1],"block":[1,1,1],"launches":10,)"
            R"("counted":1,"skipped":[{"reason":"sampling","launches":9}]})"
            "\n");
}

TEST(JsonLine, SampleRowsAreArraysOfPcReasonAndSamples) {
  PcSamples samples{PcSamplingId(2), Samples(1), Samples(5), Samples(0), {}};
  samples.functions = {
      {CubinId(0xAB), "k", {{PcOffset(16), StallReason(3), Samples(40)}}},
      {std::nullopt, "f", {}},
  };
  EXPECT_EQ(ToJsonLine(samples),
            R"({"record":"pc_samples","sampling":2,"dropped":1,"elsewhere":5,"unplaced":0,)"
            R"("functions":[{"cubin":"00000000000000ab","function":"k","rows":[[16,3,40]]},)"
            R"({"cubin":null,"function":"f","rows":[]}]})"
            "\n");
}

TEST(JsonLine, ASourceSaysWhichLineItsTextBeginsWith) {
  EXPECT_EQ(ToJsonLine(Source{"a.py", 7, "def f():\n"}),
            R"({"record":"source","file":"a.py","first_line":7,"text":"def f():\n"})"
            "\n");
}

TEST(JsonLine, ASourceSaysWhatItIsShownAsWhereThatIsNotItsFile) {
  EXPECT_EQ(ToJsonLine(Source{"/tmp/1.py", 1, "x", "In[7]"}),
            R"({"record":"source","file":"/tmp/1.py","first_line":1,"text":"x","shown_as":"In[7]"})"
            "\n");
}

TEST(JsonLine, SecondsThatAreNoNumberBecomeZero) {
  EXPECT_EQ(ToJsonLine(End{"exit", std::numeric_limits<double>::quiet_NaN(), {}}),
            "{\"record\":\"end\",\"reason\":\"exit\",\"seconds\":0}\n");
  EXPECT_THAT(
      ToJsonLine(End{"exit", 1, Contents{{{"header", 1}, {"window", 3}}, 255}}),
      HasSubstr(R"("before":{"records":{"header":1,"window":3},"hash":"00000000000000ff"})"));
  EXPECT_EQ(ToJsonLine(End{"exit", 1.25, {}}),
            "{\"record\":\"end\",\"reason\":\"exit\",\"seconds\":1.25}\n");
}

}  // namespace
}  // namespace coalcheck::recording

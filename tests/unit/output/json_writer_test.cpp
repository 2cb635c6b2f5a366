// SPDX-License-Identifier: Apache-2.0
//
// The JSON report says the same numbers, and is JSON whatever the names are made of.
#include "libcoalcheck/output/json/json_writer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {
namespace {

nlohmann::json Parsed(const findings::Report& report) {
  return nlohmann::json::parse(JsonReport(report, verdict::Judge(report)));
}

TEST(JsonWriter, TheNaiveTransposeInNumbers) {
  TransposeReport sample;
  const nlohmann::json json = Parsed(sample.Make());
  EXPECT_EQ(json["format"], "coalcheck-report");
  EXPECT_EQ(json["major"], kReportMajorVersion);
  EXPECT_EQ(json["verdict"]["exit_code"], 1);
  EXPECT_EQ(json["summary"]["findings"], 1);
  EXPECT_EQ(json["summary"]["accesses_clean"], 1);
  EXPECT_EQ(json["summary"]["wasted_sectors"], 14680064);
  ASSERT_EQ(json["accesses"].size(), 2U);
  const nlohmann::json& store = json["accesses"][0];
  EXPECT_EQ(store["finding"], true);
  EXPECT_EQ(store["kind"], "store");
  EXPECT_EQ(store["kernel"], "transpose(float const*, float*, int, int)");
  EXPECT_EQ(store["kernel_mangled"], kTranspose);
  EXPECT_EQ(store["file"], findings::kSource);
  EXPECT_EQ(store["path"], "a.cu");
  EXPECT_EQ(store["line"], 2);
  EXPECT_EQ(store["requests"], 524288);
  EXPECT_EQ(store["sectors"], 16777216);
  EXPECT_EQ(store["wasted_share_percent"], 87.5);
  EXPECT_EQ(store["per_request"]["lines"], 32.0);
  EXPECT_EQ(store["launches_checked"], 1);
  EXPECT_EQ(store["launches"], 200);
}

TEST(JsonWriter, EachInstructionHasItsOwnCounts) {
  TransposeReport sample;
  const nlohmann::json json = Parsed(sample.Make());
  const nlohmann::json expected = {
      {"cubin", ToHex(findings::kCubin)},
      {"pc", 32},
      {"width_bytes", 4},
      {"generic", false},
      {"ptx", nullptr},
      {"requests", 524288},
      {"lanes", 16777216},
      {"sectors", 16777216},
      {"ideal_sectors", 2097152},
      {"lines", 16777216},
      {"address",
       {{"expression", nullptr}, {"lanes", nullptr}, {"index_loads", nlohmann::json::array()}}}};
  EXPECT_EQ(json["accesses"][0]["instructions"], nlohmann::json::array({expected}));
}

TEST(JsonWriter, CountersThatWereNotRecordedAreNull) {
  TransposeReport sample;
  sample.run.header.counters = {"sectors", "ideal_sectors"};
  sample.run.windows[0].functions[0].rows = {{PcOffset(32), {64, 8}}};
  const nlohmann::json json = Parsed(sample.Make());
  const nlohmann::json& access = json["accesses"][0];
  EXPECT_EQ(access["sectors"], 64);
  EXPECT_TRUE(access["requests"].is_null());
  EXPECT_TRUE(access["lines"].is_null());
  EXPECT_TRUE(access["per_request"]["sectors"].is_null());
  EXPECT_TRUE(access["instructions"][0]["lanes"].is_null());
}

TEST(JsonWriter, ALineOfGeneratedSourceHasThePythonItWasMadeFrom) {
  const nlohmann::json json = Parsed(MakeFullReport());
  EXPECT_EQ(json["accesses"][0]["made_from"], nlohmann::json::array({{{"function", "forward"},
                                                                      {"file", "/src/app/train.py"},
                                                                      {"path", "train.py"},
                                                                      {"line", 12},
                                                                      {"text", "y = x[:, 0]"}}}));
  EXPECT_EQ(json["accesses"][1]["made_from"], nlohmann::json::array());
}

TEST(JsonWriter, TotalsAreTheSumOfItsRows) {
  const nlohmann::json json = Parsed(MakeFullReport());
  std::uint64_t sectors = json["totals"]["unattributed_sectors"].get<std::uint64_t>();
  EXPECT_GT(sectors, 0U);
  for (const nlohmann::json& access : json["accesses"]) {
    sectors += access["sectors"].get<std::uint64_t>();
  }
  EXPECT_EQ(json["totals"]["sectors"], sectors);
}

TEST(JsonWriter, NamesThatAreNoUtf8AreStillJson) {
  TransposeReport sample;
  sample.run.header.program = "/bin/\xff\xfe";
  sample.run.windows[0].functions[0].function = "k\xff";
  const nlohmann::json json = Parsed(sample.Make());
  EXPECT_EQ(json["recordings"][0]["program"], "/bin/\uFFFD\uFFFD");
}

}  // namespace
}  // namespace coalcheck::output

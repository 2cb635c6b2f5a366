// SPDX-License-Identifier: Apache-2.0
//
// The example of docs/recording-format.md is what is really read and written, and the document
// names every field and counter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/reader.h"

namespace coalcheck::recording {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Document() {
  std::ostringstream text;
  text << std::ifstream(COALCHECK_SOURCE_DIR "/docs/recording-format.md").rdbuf();
  return text.str();
}

std::string Example() {
  const std::string document = Document();
  const std::string start = "```jsonl\n";
  const std::size_t from = document.find(start);
  const std::size_t to = document.find("```", from + start.size());
  if (from == std::string::npos || to == std::string::npos) return {};
  return document.substr(from + start.size(), to - from - start.size());
}

TEST(FormatDocument, ItsExampleReadsWithoutALossAndWritesTheSame) {
  const auto run = ParseRecords(Example());
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(run->lost_lines, IsEmpty());
  ASSERT_EQ(run->devices.size(), 1U);
  ASSERT_EQ(run->modules.size(), 1U);
  ASSERT_EQ(run->range_sets.size(), 1U);
  ASSERT_EQ(run->windows.size(), 1U);
  ASSERT_EQ(run->tallies.size(), 1U);
  ASSERT_EQ(run->uncounted.size(), 1U);
  ASSERT_EQ(run->losses.size(), 1U);
  ASSERT_EQ(run->unmatched.size(), 1U);
  ASSERT_EQ(run->sources.size(), 1U);
  ASSERT_TRUE(run->cost.has_value());
  ASSERT_TRUE(run->end.has_value());
  ASSERT_TRUE(run->process_end.has_value());
  EXPECT_EQ(Example(), ToJsonLine(run->header) + ToJsonLine(run->devices[0]) +
                           ToJsonLine(run->modules[0]) + ToJsonLine(run->range_sets[0]) +
                           ToJsonLine(run->windows[0]) + ToJsonLine(run->tallies[0]) +
                           ToJsonLine(run->uncounted[0]) + ToJsonLine(run->losses[0]) +
                           ToJsonLine(run->unmatched[0]) + ToJsonLine(*run->cost) +
                           ToJsonLine(run->pc_samplings[0]) + ToJsonLine(run->pc_samples[0]) +
                           ToJsonLine(run->sources[0]) + ToJsonLine(*run->end) +
                           ToJsonLine(*run->process_end));
}

// Every key at any depth of `value`.
void CollectKeys(const nlohmann::json& value, std::set<std::string>& keys) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) keys.insert(key);
  }
  if (value.is_structured()) {
    for (const nlohmann::json& inner : value) CollectKeys(inner, keys);
  }
}

TEST(FormatDocument, NamesEveryFieldAndCounterInItsText) {
  std::string prose = Document();
  const std::string example = Example();
  prose.erase(prose.find(example), example.size());
  std::set<std::string> names;
  std::istringstream lines(example);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json json = nlohmann::json::parse(line);
    CollectKeys(json, names);
    for (const nlohmann::json& counter : json.value("counters", nlohmann::json::array())) {
      names.insert(counter.get<std::string>());
    }
  }
  EXPECT_GT(names.size(), 40U);
  for (const std::string& name : names) EXPECT_THAT(prose, HasSubstr("`" + name + "`"));
}

}  // namespace
}  // namespace coalcheck::recording

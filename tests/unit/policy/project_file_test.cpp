// SPDX-License-Identifier: Apache-2.0
//
// What coalcheck.toml may say, and how mistakes in it are named.
#include "libcoalcheck/policy/project_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coalcheck::policy {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string ErrorOf(const std::string& text) {
  const auto read = ReadProjectFile(text, "c.toml");
  return read.ok() ? "" : read.error();
}

TEST(ProjectFile, HoldsThresholdsRulesAndSuppressions) {
  const auto read = ReadProjectFile(R"(baseline = "ci/base.txt"
min-launches = 3
[thresholds]
min-wasted-share = 25
max-sectors-per-request = 16.5
[[rule]]
file = ["src/*", "lib/*"]
pattern = "strided"
min-cost = 1
[[suppress]]
kernel = "at::native"
range = "warm-up"
reason = "not ours"
until = 2027-01-31
)",
                                    "c.toml");
  ASSERT_TRUE(read.ok()) << read.error();
  const ProjectFile& file = read.value();
  EXPECT_EQ(file.baseline, "ci/base.txt");
  EXPECT_EQ(file.rules.min_launches, 3U);
  const auto limit = [](const Thresholds& all, Key key) {
    return all[static_cast<std::size_t>(key)];
  };
  EXPECT_EQ(limit(file.rules.defaults, Key::kMinWastedShare)->value, 25);
  EXPECT_EQ(limit(file.rules.defaults, Key::kMinWastedShare)->origin, "c.toml:4");
  EXPECT_EQ(limit(file.rules.defaults, Key::kMaxSectorsPerRequest)->value, 16.5);
  ASSERT_THAT(file.rules.rules, SizeIs(1));
  EXPECT_THAT(file.rules.rules[0].selector.files, SizeIs(2));
  EXPECT_EQ(limit(file.rules.rules[0].thresholds, Key::kMinCost)->value, 1);
  ASSERT_THAT(file.rules.suppressions, SizeIs(1));
  EXPECT_EQ(file.rules.suppressions[0].reason, "not ours");
  EXPECT_EQ(file.rules.suppressions[0].until, DateFromText("2027-01-31"));
  EXPECT_EQ(file.rules.suppressions[0].origin, "c.toml:10");
}

TEST(ProjectFile, NamesTheLineOfAMistake) {
  EXPECT_THAT(ErrorOf("a = "), HasSubstr("c.toml:1: "));
  EXPECT_EQ(ErrorOf("\nbaselin = 'x'"),
            "c.toml:2: unknown key 'baselin': did you mean 'baseline'?");
  EXPECT_THAT(ErrorOf("\"a\\n::error::b\" = 1"), HasSubstr("c.toml:1: unknown key 'a ::error::b'"));
  EXPECT_EQ(ErrorOf("min-wasted-share = 20"),
            "c.toml:1: 'min-wasted-share' stands under [thresholds], or in a [[rule]]");
  EXPECT_EQ(ErrorOf("[thresholds]\nmin-launches = 2"),
            "c.toml:2: 'min-launches' stands at the top, before any [table]");
  EXPECT_EQ(ErrorOf("[thresholds]\nmin-cost = 101"),
            "c.toml:2: min-cost takes a number from 0 to 100");
  EXPECT_EQ(ErrorOf("[thresholds]\nmin-cost = 'a'"),
            "c.toml:2: min-cost takes a number from 0 to 100");
  EXPECT_EQ(ErrorOf("[thresholds]\nmin-cost = nan"),
            "c.toml:2: min-cost takes a number from 0 to 100");
  EXPECT_EQ(ErrorOf("[thresholds]\nmin-cost = 9007199254740993"),  // no double is
            "c.toml:2: min-cost takes a number from 0 to 100");
  EXPECT_EQ(ErrorOf("[thresholds]\nmin-cost = true"),
            "c.toml:2: min-cost takes a number from 0 to 100");
  EXPECT_EQ(ErrorOf("[rule]\nkernel = 'k'"), "c.toml:1: rule is written [[rule]]");
  EXPECT_EQ(ErrorOf("[[rule]]\nmin-cost = 1"),
            "c.toml:1: a rule needs one of file, function, kernel, range, pattern or module");
  EXPECT_EQ(ErrorOf("[[suppress]]\nkernel = 'k'"), "c.toml:1: a suppression needs a reason");
  EXPECT_EQ(
      ErrorOf("[[suppress]]\nreason = 'k'"),
      "c.toml:1: a suppression needs one of file, function, kernel, range, pattern or module");
  EXPECT_EQ(ErrorOf("[[suppress]]\nkernel='k'\nreason='r'\nuntil='soon'"),
            "c.toml:4: until takes a day: 2027-01-31");
  EXPECT_EQ(ErrorOf("[[suppress]]\nkernel='k'\nreason=''"), "c.toml:3: reason must not be empty");
  EXPECT_EQ(ErrorOf("[[suppress]]\nkernel=1\nreason='r'"), "c.toml:2: kernel takes a string");
  EXPECT_EQ(ErrorOf("[[rule]]\npattern='stridden'"),
            "c.toml:2: 'stridden' is not a pattern; coalcheck patterns lists them");
}

TEST(ProjectFile, MayHoldCharactersBeyondAsciiWhereTomlAllowsThem) {
  const auto read = ReadProjectFile("# §\nbaseline = \"\"\"\\\n  §²空\"\"\"\n", "c.toml");
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value().baseline, "§²空");
  EXPECT_THAT(ErrorOf("a = 1\n§ = 1"), HasSubstr("c.toml:2: "));
  EXPECT_THAT(ErrorOf("a = ¨"), HasSubstr("c.toml:1: "));
}

std::string Times(std::size_t count, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ProjectFile, RefusesReasonsThatAreLong) {
  const std::string begin = "[[suppress]]\nkernel='k'\nreason='";
  EXPECT_EQ(ErrorOf(begin + std::string(1001, 'r') + "'"),
            "c.toml:3: reason has at most 1000 bytes");
  EXPECT_TRUE(ReadProjectFile(begin + std::string(1000, 'r') + "'", "c.toml").ok());
}

// Each part is a table in a table, and would take a part of the stack.
TEST(ProjectFile, RefusesKeysOfManyParts) {
  const std::string parts = Times(500'000, "a.") + "a";
  for (const std::string& text :
       {parts + " = 1", "[" + parts + "]", "[[" + parts + "]]", "x = [\n1, {" + parts + " = 1}]",
        "x = 'y' # \"\n" + Times(20, "\"a.\".'b'.") + "c = 1"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr(": a key has more than 16 parts")) << text.substr(0, 20);
  }
  EXPECT_THAT(ErrorOf(R"(x = """
\"""""
)" + parts + " = 1"),
              HasSubstr("c.toml:3: a key has"));
}

TEST(ProjectFile, MayHoldAsManyDotsAsItLikesInTexts) {
  const std::string dots = Times(100, "a.");
  EXPECT_EQ(ErrorOf("# " + dots + "\n[[suppress]] # " + dots + "\nkernel = ['" + dots +
                    "', \"\\\"" + dots + "\"]\nreason = '''\n" + dots + "''''\n"),
            "");
  EXPECT_EQ(ErrorOf(Times(100, "[[rule]]\nfile = 'a.cu'\nmin-cost = 0.5\n")), "");
}

// However the text before an expression reads as one.
TEST(ProjectFile, RefusesExpressionsThatAreTooHeavyTogether) {
  for (const char* range : {R"(regex:((a?){60}){50})", R"(a\@regex:{@regex:((a?){60}){50}})"}) {
    const std::string rule = std::string("[[rule]]\nrange = '") + range + "'\nmin-cost = 1\n";
    EXPECT_EQ(ErrorOf(rule), "");
    EXPECT_EQ(ErrorOf(rule + rule),
              "c.toml:5: up to here the regular expressions of this file repeat too much together");
  }
}

TEST(ProjectFile, HasAnErrorForBytesThatAreNoTextAtAll) {
  for (const char* text : {"\xcc\xaa", "\xff", "[&", "[}", "[[", "a = [[[[[[[["}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("c.toml:1: ")) << text;
  }
}

}  // namespace
}  // namespace coalcheck::policy

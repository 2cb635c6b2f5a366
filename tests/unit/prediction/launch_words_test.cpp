// SPDX-License-Identifier: Apache-2.0
//
// Launches as people write them.
#include "libcoalcheck/prediction/launch_words.h"

#include <gtest/gtest.h>

namespace coalcheck::prediction {
namespace {

TEST(LaunchWords, NameKernelShapeAndArguments) {
  const auto named = ReadLaunchWords("ns::copy: grid=128x512 block=32x8 arg4=4096");
  ASSERT_TRUE(named.ok()) << named.error();
  EXPECT_EQ(named.value().kernel, "ns::copy");
  EXPECT_EQ(named.value().launch.grid, (address::Extent{128, 512, 1}));
  EXPECT_EQ(named.value().launch.block, (address::Extent{32, 8, 1}));
  EXPECT_EQ(named.value().launch.by_number, (std::map<std::uint32_t, ArgumentValue>{{3, 4096}}));
}

TEST(LaunchWords, NameParametersAsTheSourceDoes) {
  const auto launch = ReadLaunch("block=32x8 height=4096 args=-1");
  ASSERT_TRUE(launch.ok()) << launch.error();
  EXPECT_EQ(launch.value().by_name,
            (std::map<std::string, ArgumentValue>{{"height", 4096}, {"args", -1}}));
}

TEST(LaunchWords, HaveNumbersWithAFraction) {
  const auto launch = ReadLaunch("rate=0.03 eps=1e-8 arg1=-2.5");
  ASSERT_TRUE(launch.ok()) << launch.error();
  EXPECT_EQ(launch.value().by_name,
            (std::map<std::string, ArgumentValue>{{"rate", 0.03}, {"eps", 1e-8}}));
  EXPECT_EQ(launch.value().by_number, (std::map<std::uint32_t, ArgumentValue>{{0, -2.5}}));
}

TEST(LaunchWords, SayWhatIsWrong) {
  for (const char* text :
       {"", "copy", "copy:", "copy: ", ": block=32", "copy: block=0", "copy: block=1x2x3x4",
        "copy: arg0=1", "copy: arg1=x", "copy: x=inf", "copy: x=1e999", "copy: x=0.5f",
        "copy: 3d=3", "copy: n=", "copy: n=1 n=1", "copy: block=32 block=64",
        "copy: arg1=1 grid=2 arg1=2"}) {
    const auto named = ReadLaunchWords(text);
    ASSERT_FALSE(named.ok()) << text;
    EXPECT_FALSE(named.error().empty());
  }
}

TEST(LaunchWords, CallAParameterByItsNumberWhereItsNameMeansSomethingElse) {
  const std::vector<std::string> names{"n", "block", "grid", "arg1", "argument"};
  EXPECT_EQ(WordOf(0, names), "n");
  EXPECT_EQ(WordOf(1, names), "arg2");
  EXPECT_EQ(WordOf(2, names), "arg3");
  EXPECT_EQ(WordOf(3, names), "arg4");
  EXPECT_EQ(WordOf(4, names), "argument");
  EXPECT_EQ(WordOf(0, {}), "arg1");
}

}  // namespace
}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// Numbers by hand at the places of a kernel's parameters.
#include "libcoalcheck/prediction/launch_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::prediction {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kText =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 k_param_0, .param .f32 k_param_1, .param .f64 k_param_2,\n"
    ".param .u32 k_param_3)\n{\nret;\n}\n";

KnownArguments Taken(const std::map<std::string, ArgumentValue>& by_name) {
  const ptx::Module module(kText);
  const ptx::Function function = module.Read(module.functions().at(0));
  KnownLaunch launch;
  launch.by_name = by_name;
  return ArgumentsOf(launch, function, {"data", "gain", "rate", "n"});
}

template <typename Number>
Number NumberAt(const KnownArguments& arguments, std::size_t offset) {
  Number number = 0;
  std::memcpy(&number, arguments.bytes.data() + offset, sizeof(number));
  return number;
}

TEST(LaunchArguments, OfFloatingPointLieThereAsTheKernelReadsThem) {
  const KnownArguments arguments = Taken({{"gain", 0.5}, {"rate", 1e-8}, {"n", 7}});
  EXPECT_THAT(arguments.problems, IsEmpty());
  EXPECT_EQ(NumberAt<float>(arguments, 8), 0.5F);
  EXPECT_EQ(NumberAt<double>(arguments, 16), 1e-8);
  EXPECT_EQ(NumberAt<std::int32_t>(arguments, 24), 7);
  EXPECT_EQ(arguments.known, std::string(8, '\0') + std::string(4, '\1') + std::string(4, '\0') +
                                 std::string(12, '\1'));
  EXPECT_THAT(arguments.by_hand, ElementsAre("gain = 0.5", "rate = 1e-08", "n = 7"));
}

TEST(LaunchArguments, OfFloatingPointMayBeWholeNumbers) {
  EXPECT_EQ(NumberAt<float>(Taken({{"gain", 3}}), 8), 3.0F);
}

TEST(LaunchArguments, ThatDoNotFitAreRefused) {
  EXPECT_THAT(Taken({{"n", 0.5}}).problems, ElementsAre("n: that parameter is a whole number"));
  EXPECT_THAT(Taken({{"gain", 1e300}}).problems,
              ElementsAre("gain: 1e+300 does not fit into its 4 bytes"));
}

}  // namespace
}  // namespace coalcheck::prediction

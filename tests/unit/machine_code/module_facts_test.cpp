// SPDX-License-Identifier: Apache-2.0
//
// What is said of a whole module, on a cubin that was recorded on a GPU.
#include "libcoalcheck/machine_code/module_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/recorded_cubin.h"

namespace coalcheck::machine_code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kKernel = "_Z14coalesced_copyPKfPfj";

std::string Replaced(std::string bytes, std::string_view from, std::string_view to) {
  EXPECT_EQ(from.size(), to.size());
  for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at)) {
    bytes.replace(at, to.size(), to);
  }
  return bytes;
}

TEST(ModuleFacts, ACompiledModuleHasItsKernelsAndItsLines) {
  const std::string cubin = support::RecordedCubin("coalesced_copy");
  const ModuleFacts facts = DescribeModule(cubin);
  EXPECT_THAT(facts.kernels, ElementsAre(kKernel));
  EXPECT_TRUE(facts.has_lines);
  EXPECT_FALSE(facts.launches_from_device);
}

TEST(ModuleFacts, WithoutALineTableItHasNone) {
  const std::string cubin =
      Replaced(support::RecordedCubin("coalesced_copy"), ".debug_line", ".xebug_line");
  EXPECT_FALSE(DescribeModule(cubin).has_lines);
}

TEST(ModuleFacts, TheDevicesOwnLaunchIsKnownByItsName) {
  const std::string cubin =
      Replaced(support::RecordedCubin("coalesced_copy"), kKernel, "__cudaCDP2LaunchDeviceV2");
  EXPECT_TRUE(DescribeModule(cubin).launches_from_device);
}

TEST(ModuleFacts, WhatIsNoCubinHasNothing) {
  EXPECT_THAT(DescribeModule("no cubin").kernels, IsEmpty());
  EXPECT_THAT(DescribeModule("").kernels, IsEmpty());
}

}  // namespace
}  // namespace coalcheck::machine_code

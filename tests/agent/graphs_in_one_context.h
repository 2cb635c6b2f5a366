// SPDX-License-Identifier: Apache-2.0
//
// OneContext, whose program makes graphs, too.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/agent/one_context.h"

namespace coalcheck::testing {

class GraphsInOneContext : public OneContext {
 protected:
  std::optional<agent::GraphHandle> CaptureOnly(const std::vector<std::string>& kernels) {
    EXPECT_TRUE(program_->BeginCapture(context_, stream_));
    for (const std::string& kernel : kernels) Launch(kernel);
    return program_->EndCapture(context_, stream_);
  }
  std::optional<agent::GraphExecHandle> Capture(const std::vector<std::string>& kernels) {
    return program_->Instantiate(context_, CaptureOnly(kernels));
  }
  void LaunchGraph(std::optional<agent::GraphExecHandle> exec, bool succeeds = true) {
    ASSERT_TRUE(exec.has_value());
    program_->LaunchGraph(context_, stream_, *exec, succeeds);
  }
};

}  // namespace coalcheck::testing

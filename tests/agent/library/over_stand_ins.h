// SPDX-License-Identifier: Apache-2.0
//
// A folder of its own and an environment for programs that run over the stand-ins for the driver
// and CUPTI.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/agent/library/run_process.h"

namespace coalcheck::testing {

class OverStandIns : public ::testing::Test {
 protected:
  OverStandIns() {
    char name[] = "/tmp/coalcheck-stand-ins-XXXXXX";
    folder_ = mkdtemp(name);
    environment_ = {{"COALCHECK_CUPTI_PATH", COALCHECK_STAND_INS},
                    {"CUDA_INJECTION64_PATH", ""},
                    {"NVTX_INJECTION64_PATH", ""},
                    {"COALCHECK_OPTIONS", ""},
                    {"TMPDIR", folder_}};
  }
  ~OverStandIns() override { std::filesystem::remove_all(folder_); }

  ProcessResult RunWords(const std::vector<std::string>& words) {
    ProcessResult result = RunProcess(words, environment_, std::chrono::seconds(60));
    EXPECT_FALSE(result.timed_out);
    return result;
  }
  // cuda_host as a shell command.
  static std::string Host(const std::string& steps, const std::string& exit_code = "0") {
    return std::string(COALCHECK_CUDA_HOST) + " " + COALCHECK_MODULE + " " + exit_code + " " +
           steps;
  }

  std::string folder_;
  std::map<std::string, std::string> environment_;
};

}  // namespace coalcheck::testing

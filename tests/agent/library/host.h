// SPDX-License-Identifier: Apache-2.0
//
// cuda_host with the real library in it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/recording/reader.h"
#include "tests/agent/library/over_stand_ins.h"

namespace coalcheck::testing {

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Where the module's one store is, for the stand-in to count at.
inline std::string PcOfTheStore() {
  const absl::StatusOr<cubin::Cubin> module = cubin::Cubin::Parse(ReadFile(COALCHECK_MODULE));
  if (!module.ok()) return "16";
  for (const auto& function : module->functions()) {
    if (!function.accesses.empty()) return std::to_string(function.accesses[0].pc.value());
  }
  return "16";
}

class Host : public OverStandIns {
 protected:
  Host() {
    environment_.erase("NVTX_INJECTION64_PATH");
    environment_["CUDA_INJECTION64_PATH"] = COALCHECK_LIBRARY;
    environment_["COALCHECK_COMMAND"] = COALCHECK_COMMAND_FILE;
    environment_["STAND_IN_PC"] = PcOfTheStore();
  }

  ProcessResult Run(const std::vector<std::string>& steps, const std::string& exit_code = "0") {
    std::vector<std::string> words = {COALCHECK_CUDA_HOST, COALCHECK_MODULE, exit_code};
    words.insert(words.end(), steps.begin(), steps.end());
    ProcessResult result = RunWords(words);
    EXPECT_EQ(result.out, "the host's own output\n");
    EXPECT_EQ(result.exit_code, std::stoi(exit_code));
    return result;
  }
  void KeepRecording() {
    environment_["COALCHECK_OPTIONS"] = "--no-report --recording " + folder_ + "/kept";
  }
  recording::RecordedRun Recorded() {
    auto run = recording::ParseRecords(ReadFile(folder_ + "/kept/records.jsonl"));
    EXPECT_TRUE(run.ok()) << run.status().ToString();
    return run.ok() ? *std::move(run) : recording::RecordedRun{};
  }
  // The recordings left in the temporary folder.
  std::vector<std::string> Left() const {
    std::vector<std::string> left;
    const std::string own = folder_ + "/coalcheck-" + std::to_string(geteuid());
    if (!std::filesystem::exists(own)) return left;
    for (const auto& entry : std::filesystem::directory_iterator(own)) left.push_back(entry.path());
    return left;
  }
};

}  // namespace coalcheck::testing

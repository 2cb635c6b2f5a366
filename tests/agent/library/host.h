// SPDX-License-Identifier: Apache-2.0
//
// cuda_host with the real library in it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/cubin/sass.h"
#include "libcoalcheck/recording/reader.h"
#include "tests/agent/library/over_stand_ins.h"
#include "tests/support/files.h"

namespace coalcheck::testing {

// Where the module's one store is, for the stand-in to count at.
inline std::string PcOfTheStore() {
  const std::string bytes = support::FileText(COALCHECK_MODULE);
  const Result<cubin::ElfFile> module = cubin::ElfFile::Parse(bytes);
  if (!module.ok()) return "none: the module cannot be read";
  for (const cubin::ElfSection& section : module.value().sections()) {
    if (!section.name.starts_with(cubin::kTextPrefix)) continue;
    for (std::size_t pc = 0; pc + cubin::kSassWordSize <= section.content.size();
         pc += cubin::kSassWordSize) {
      std::uint64_t halves[2];
      std::memcpy(halves, section.content.data() + pc, sizeof halves);
      if (cubin::DecodeSass(halves[0], halves[1], module.value().cuda_architecture()))
        return std::to_string(pc);
    }
  }
  return "none: the module has no store";
}

class Host : public OverStandIns {
 protected:
  Host() {
    environment_.erase("NVTX_INJECTION64_PATH");
    environment_["CUDA_INJECTION64_PATH"] = COALCHECK_LIBRARY;
    environment_["COALCHECK_COMMAND"] = folder_ + "/none";
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
    auto run = recording::ParseRecords(support::FileText(folder_ + "/kept/records.jsonl"));
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

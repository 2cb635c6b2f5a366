// SPDX-License-Identifier: Apache-2.0
//
// Waits live: on kernels in which it is known which load warps wait for, that load is charged with
// them. tests/unit/cost proves the same on compiled code with samples made up.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/gpu.h"
#include "tests/support/run_program.h"

namespace coalcheck::support {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPeriod = 1 << 12;  // cycles; that of --cost-period 12

// Cycles of the program's scoreboard waits that were charged to loads of `kernel`, by their width.
struct Waits {
  std::uint64_t wide = 0;    // 8 bytes: the load that is waited for
  std::uint64_t others = 0;  // everything else of the kernel
};

Waits WaitsOf(const nlohmann::json& report, const std::string& kernel) {
  Waits waits;
  for (const auto& access : report["accesses"]) {
    if (!access["kernel"].get<std::string>().starts_with(kernel)) continue;
    const auto cycles = access["cost"]["long_scoreboard"]["cycles"].get<std::uint64_t>();
    const bool is_wide = access["instructions"][0]["width_bytes"] == 8;
    (is_wide ? waits.wide : waits.others) += cycles;
  }
  return waits;
}

class LiveCharging : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "coalcheck-charging-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    const fs::path program = fs::path(COALCHECK_BINARY_DIR) / "samples" / "charging";
    if (!fs::exists(program)) {
      if (GpuIsRequired()) FAIL() << program << " is not built";
      GTEST_SKIP() << "the programs are not built: no nvcc, or COALCHECK_BUILD_SAMPLES is off";
    }
    const fs::path recording = folder_ / "recording";
    const ProgramResult run = RunProgram(
        {program}, {{"CUDA_INJECTION64_PATH", COALCHECK_AGENT},
                    {"COALCHECK_OPTIONS",
                     "--no-report --sampling first --cost on --cost-period 12 --recording " +
                         recording.string()}});
    if (run.exit_code == kNoGpu) {
      if (GpuIsRequired()) FAIL() << run.err;
      GTEST_SKIP() << run.err;
    }
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const ProgramResult report =
        RunProgram({COALCHECK_COMMAND, "report", "--format", "json", "--exit-zero", "--source-root",
                    COALCHECK_SOURCE_DIR, recording});
    ASSERT_EQ(report.exit_code, 0) << report.err;
    report_ = nlohmann::json::parse(report.out);
    if (!report_["cost"]["known"]) {
      const auto why = report_["cost"]["why_not"].get<std::string>();
      if (GpuIsRequired()) FAIL() << why;
      GTEST_SKIP() << "nothing was sampled: " << why;
    }
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  // At least 95 % of the kernel's waits, of at least a thousand samples, are the wide load's.
  void ExpectChargedToTheWideLoad(const std::string& kernel) {
    const Waits waits = WaitsOf(report_, kernel);
    // What nobody was found for may be this kernel's, too.
    const std::uint64_t others =
        waits.others + report_["cost"]["unattributed"]["cycles"].get<std::uint64_t>();
    EXPECT_GE(waits.wide, 1000 * kPeriod) << kernel;
    EXPECT_GE(waits.wide, 19 * others) << kernel << ": " << waits.wide << " against " << others;
  }

  fs::path folder_;
  nlohmann::json report_;
};

TEST_F(LiveCharging, OneLoadIsChargedWithTheWaitsForIt) { ExpectChargedToTheWideLoad("one_load"); }

TEST_F(LiveCharging, OfTwoLoadsTheSlowOneIsChargedWithTheWaitsForIt) {
  ExpectChargedToTheWideLoad("two_loads");
}

}  // namespace
}  // namespace coalcheck::support

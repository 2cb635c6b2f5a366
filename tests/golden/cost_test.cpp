// SPDX-License-Identifier: Apache-2.0
//
// A recording with samples, from its bytes to the report. The counts and the machine code are a
// GPU's; the samples are made up, so that it is known who has to be charged with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/files.h"
#include "tests/support/run_program.h"

namespace coalcheck::support {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSampling =
    R"({"record":"pc_sampling","sampling":1,"device":0,"context":1,"period_cycles":1000,)"
    R"("buffer_bytes":1,"reasons":["x_issue_stalled_long_scoreboard",)"
    R"("x_issue_stalled_lg_throttle","x_issue_stalled_drain","x_issue_stalled_wait",)"
    R"("x_issue_stalled_drain_not_issued","x_sample_count"]})"
    "\n";

class Cost : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("coalcheck-cost-" + std::to_string(getpid()));
    fs::copy(fs::path(COALCHECK_SOURCE_DIR) / "tests" / "recordings" / "transpose_naive", folder_,
             fs::copy_options::recursive);
    fs::permissions(folder_ / "records.jsonl", fs::perms::owner_write, fs::perm_options::add);
    cubin_ = fs::directory_iterator(folder_ / "cubins")->path().stem();
  }
  void TearDown() override { fs::remove_all(folder_); }
  void Append(const std::string& lines) {
    std::ofstream(folder_ / "records.jsonl", std::ios::app) << lines;
  }
  // The load is at 288; the store at 336 waits for it; the kernel ends at 352.
  std::string Samples(const std::string& rows) const {
    return R"({"record":"pc_samples","sampling":1,"dropped":0,"elsewhere":7,"unplaced":0,"functions":[{"cubin":")" +
           cubin_ + R"(","function":"_Z15transpose_naivePKfPfii","rows":[)" + rows + "]}]}\n";
  }
  std::string Records() { return FileText(folder_ / "records.jsonl"); }
  std::string Report(const char* format) {
    const ProgramResult run =
        RunProgram({COALCHECK_COMMAND, "report", "--format", format, "--exit-zero", "--path-map",
                    std::string("/tmp/coalcheck=") + COALCHECK_SOURCE_DIR, "--source-root",
                    COALCHECK_SOURCE_DIR, folder_});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }
  nlohmann::json Json() { return nlohmann::json::parse(Report("json")); }
  static nlohmann::json CostOf(const nlohmann::json& report, const char* kind) {
    for (const auto& access : report["accesses"]) {
      if (access["kind"] == kind) return access["cost"];
    }
    return {};
  }

  fs::path folder_;
  std::string cubin_;  // the name of the recording's only one
};

TEST_F(Cost, WaitsForTheLoadAreTheLoadsAndTheStoresOwnAreTheStores) {
  Append(kSampling + Samples("[0,3,10],[336,0,20],[336,1,30],[352,2,40],[352,4,35],[352,5,99]"));
  const nlohmann::json report = Json();
  const nlohmann::json load = CostOf(report, "load");
  const nlohmann::json store = CostOf(report, "store");
  EXPECT_EQ(load["long_scoreboard"]["cycles"], 20000);
  EXPECT_EQ(load["cycles"], 20000);
  EXPECT_EQ(store["throttle"]["cycles"], 30000);
  EXPECT_EQ(store["drain"]["cycles"], 40000);
  EXPECT_EQ(store["drain"]["exposed_cycles"], 35000);
  EXPECT_EQ(store["share_of_kernel_percent"], 70.0);
  EXPECT_EQ(report["cost"]["program"]["cycles"], 100000);
  EXPECT_EQ(report["cost"]["others"]["cycles"], 10000);
  EXPECT_EQ(report["cost"]["unattributed"]["cycles"], 0);
  EXPECT_EQ(report["cost"]["elsewhere_cycles"], 7000);
}

TEST_F(Cost, WithoutTheDevicesLimitsTheGainIsOfWaitsAlone) {
  Append(kSampling + Samples("[0,3,30],[352,2,70],[352,4,40]"));
  const nlohmann::json report = Json();
  const nlohmann::json gain = CostOf(report, "store")["gain_of_kernel_percent"];
  // 70 % of the time is no work. Of a request's 4 sectors loaded, 64 read because 32 are stored in
  // part, and those 32, there remain 4 and 4.
  EXPECT_NEAR(gain["most"].get<double>(), 70 * (1 - 8.0 / 100), 1e-6);
  EXPECT_DOUBLE_EQ(gain["least"], 35.0);  // 40 % with nothing else to do, 87.5 % of it for nothing
  EXPECT_EQ(report["cost"]["kernels"][0]["gain_percent"], gain);
  EXPECT_TRUE(report["cost"]["kernels"][0]["memory_share_percent"].is_null());
  EXPECT_THAT(Report("text"),
              HasSubstr("stalls: 70 % of the kernel's samples, 70 % of the program's, wait for it; "
                        "fixing it could save 35 % to 64.4 % of the kernel's time"));
}

TEST_F(Cost, WithThemItIsWhatMemoryWouldStillHaveToMove) {
  // A device of 400 multiprocessors at 1 GHz, whose memory moves 4000 bytes a cycle.
  std::string records = Records();
  const std::string version = "\"cupti_version\":130001";
  records.replace(records.find(version), version.size(),
                  version +
                      ",\"multiprocessors\":400,\"clock_khz\":1000000,"
                      "\"memory_clock_khz\":2000000,\"memory_bus_bits\":8000");
  std::ofstream(folder_ / "records.jsonl") << records;
  // 640 million cycles, 1.6 of each; in four launches the store has 4.3 GB read and writes 2.15,
  // the load reads 0.27, at the peak of 6.4 GB.
  Append(kSampling + Samples("[0,3,12800],[352,2,627200]"));
  const nlohmann::json kernel = Json()["cost"]["kernels"][0];
  EXPECT_NEAR(kernel["memory_share_percent"].get<double>(), 104.9, 0.1);
  // 0.27 GB are still to be read and as many to be written: 4.19 % of the time each at the peak.
  const double best = 4.19 / 0.96 + 4.19 / 0.81;
  const double worst = 1.32 * (4.19 / 0.92 + 4.19 / 0.74);
  EXPECT_NEAR(kernel["gain_percent"]["most"].get<double>(), 100 - best, 0.1);
  EXPECT_NEAR(kernel["gain_percent"]["least"].get<double>(), 100 - worst - 0.25 * 2, 0.1);
}

TEST_F(Cost, WhereNobodyWaitsNoGainIsExpected) {
  Append(kSampling + Samples("[0,3,99],[352,2,1]"));
  EXPECT_THAT(Report("text"), HasSubstr("no gain expected: at most 0.9 % of the kernel's time"));
}

TEST_F(Cost, WithoutSamplesItIsNotKnownAndTheReasonIsSaid) {
  EXPECT_THAT(Report("text"), HasSubstr("cost not known: what warps wait for was not sampled"));
  EXPECT_EQ(Json()["cost"]["known"], false);
  EXPECT_TRUE(CostOf(Json(), "store").is_null());
  Append(R"({"record":"loss","what":"no_pc_sampling","detail":"no permission","count":1})"
         "\n");
  const std::string text = Report("text");
  EXPECT_THAT(text, HasSubstr("cost not known: no permission"));
  EXPECT_THAT(text, Not(HasSubstr("no_pc_sampling")));
}

TEST_F(Cost, SamplesOfAnUnknownSamplingOrReasonAreNobodys) {
  Append(kSampling + Samples("[352,77,5],[352,2,1]"));
  Append(R"({"record":"pc_samples","sampling":9,"dropped":0,"elsewhere":0,"unplaced":0,)"
         R"("functions":[{"cubin":null,"function":"k","rows":[[0,0,1000]]}]})"
         "\n");
  EXPECT_EQ(Json()["cost"]["program"]["cycles"], 1000);
}

}  // namespace
}  // namespace coalcheck::support

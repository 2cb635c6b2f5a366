// SPDX-License-Identifier: Apache-2.0
//
// The real library in the ranks of a job, over stand-ins: started by a shell as a launcher would,
// and by mpirun where there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/agent/library/run_process.h"

namespace coalcheck::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Ranks : public ::testing::Test {
 protected:
  Ranks() {
    char name[] = "/tmp/coalcheck-ranks-XXXXXX";
    folder_ = mkdtemp(name);
    environment_ = {{"COALCHECK_CUPTI_PATH", COALCHECK_STAND_INS},
                    {"CUDA_INJECTION64_PATH", COALCHECK_LIBRARY},
                    {"NVTX_INJECTION64_PATH", ""},
                    {"COALCHECK_OPTIONS", "--no-report --recording " + folder_ + "/ranks/%r.rec"},
                    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                    {"TMPDIR", folder_}};
  }
  ~Ranks() override { std::filesystem::remove_all(folder_); }

  ProcessResult Shell(const std::string& line) {
    ProcessResult result =
        RunProcess({"/bin/sh", "-c", line}, environment_, std::chrono::seconds(60));
    EXPECT_FALSE(result.timed_out);
    return result;
  }
  // What the report of the merged recordings says.
  std::string MergedReport() {
    const std::string command = std::string("CUDA_INJECTION64_PATH= ") + COALCHECK_COMMAND_FILE;
    const ProcessResult merged =
        Shell(command + " merge " + folder_ + "/merged " + folder_ + "/ranks");
    EXPECT_EQ(merged.exit_code, 0) << merged.err;
    return Shell(command + " report " + folder_ + "/merged").out;
  }
  bool HasRecording(const std::string& name) const {
    return std::filesystem::exists(folder_ + "/ranks/" + name + "/records.jsonl");
  }
  static std::string Host(const std::string& steps) {
    return std::string(COALCHECK_CUDA_HOST) + " " + COALCHECK_MODULE + " 0 context launch " + steps;
  }

  std::string folder_;
  std::map<std::string, std::string> environment_;
};

TEST_F(Ranks, EachNamesItsRecordingAndOneThatIsKilledIsNamed) {
  Shell("for rank in 0 1 2 3 4 5 6; do RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=8 " + Host("") +
        " & done; RANK=7 WORLD_SIZE=8 " + Host("flush kill") + "; wait");
  for (int rank = 0; rank < 8; ++rank) EXPECT_TRUE(HasRecording(std::to_string(rank) + ".rec"));
  EXPECT_THAT(MergedReport(),
              AllOf(HasSubstr("summed over 8 recordings"), HasSubstr("8 of 8 ranks recorded\n"),
                    HasSubstr("1 process of rank 7: ended without saying so")));
  EXPECT_THAT(Shell("cat " + folder_ + "/merged/records.jsonl").out,
              HasSubstr(R"("gpus":["GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"])"));
}

TEST_F(Ranks, AProcessWithoutARankIsNamedByItsId) {
  const ProcessResult result = Shell(Host("") + " & echo $! > " + folder_ + "/pid; wait");
  EXPECT_EQ(result.exit_code, 0);
  const std::string pid = Shell("cat " + folder_ + "/pid").out;
  EXPECT_TRUE(HasRecording(pid.substr(0, pid.find('\n')) + ".rec"));
}

TEST_F(Ranks, OfMpirunAreOneReport) {
  if (Shell("command -v mpirun").exit_code != 0) GTEST_SKIP() << "no mpirun";
  const ProcessResult result = Shell("mpirun --oversubscribe -n 12 " + Host("launch"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(MergedReport(),
              AllOf(HasSubstr("summed over 12 recordings"), HasSubstr("12 of 12 ranks recorded\n"),
                    HasSubstr("ranks compared in 1 shape")));
}

TEST_F(Ranks, OfMpirunThatCoalcheckStartsAreOneReportToo) {
  if (Shell("command -v mpirun").exit_code != 0) GTEST_SKIP() << "no mpirun";
  environment_["COALCHECK_OPTIONS"] = "";
  environment_["CUDA_INJECTION64_PATH"] = "";
  const ProcessResult result =
      Shell(std::string(COALCHECK_COMMAND_FILE) + " --library " + COALCHECK_LIBRARY +
            " mpirun --oversubscribe -n 4 " + Host(""));
  EXPECT_THAT(result.err, HasSubstr("4 of 4 ranks recorded\n"));
}

}  // namespace
}  // namespace coalcheck::testing

// SPDX-License-Identifier: Apache-2.0
//
// The real library in the ranks of a job, over stand-ins: started by a shell as a launcher would,
// and by mpirun where there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "tests/agent/library/over_stand_ins.h"

namespace coalcheck::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kNoMpirun = "not installed: mpirun (scripts/setup --tools)";

class Ranks : public OverStandIns {
 protected:
  Ranks() {
    environment_["CUDA_INJECTION64_PATH"] = COALCHECK_LIBRARY;
    environment_["COALCHECK_OPTIONS"] = "--no-report --recording " + folder_ + "/ranks/%r.rec";
    environment_["OMPI_ALLOW_RUN_AS_ROOT"] = "1";
    environment_["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1";
  }

  ProcessResult Shell(const std::string& line) { return RunWords({"/bin/sh", "-c", line}); }
  bool HasMpirun() { return Shell("command -v mpirun").exit_code == 0; }
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
  // A rank that launches once, and what follows.
  static std::string Rank(const std::string& steps) { return Host("context launch " + steps); }
};

TEST_F(Ranks, EachNamesItsRecordingAndOneThatIsKilledIsNamed) {
  Shell("for rank in 0 1 2 3 4 5 6; do RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=8 " + Rank("") +
        " & done; RANK=7 WORLD_SIZE=8 " + Rank("flush kill") + "; wait");
  for (int rank = 0; rank < 8; ++rank) EXPECT_TRUE(HasRecording(std::to_string(rank) + ".rec"));
  EXPECT_THAT(MergedReport(),
              AllOf(HasSubstr("summed over 8 recordings"), HasSubstr("8 of 8 ranks recorded\n"),
                    HasSubstr("1 process of rank 7: ended without finishing its recording")));
  EXPECT_THAT(Shell("cat " + folder_ + "/merged/records.jsonl").out,
              HasSubstr(R"("gpus":["GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"])"));
}

// Of the second shape two ranks count a launch, and of the first, the kernel's first, all four.
// They run long enough for the budget to allow both.
TEST_F(Ranks, CountFurtherShapesOnTwoOfThemAndAreComparedThere) {
  for (const auto& [share, words] :
       {std::pair{"on", "2 because other ranks count their shape"}, {"off", "8 windows took"}}) {
    std::filesystem::remove_all(folder_ + "/ranks");
    std::filesystem::remove_all(folder_ + "/merged");
    environment_["COALCHECK_OPTIONS"] = "--no-report --sampling auto --budget 100% --rank-share " +
                                        std::string(share) + " --recording " + folder_ +
                                        "/ranks/%r.rec";
    Shell("for rank in 0 1 2 3; do RANK=$rank WORLD_SIZE=4 " + Rank("pause launch-block") +
          " & done; wait");
    EXPECT_THAT(MergedReport(),
                AllOf(HasSubstr("ranks compared in 2 shapes of a kernel that several of them "
                                "counted; 0 counted by one alone"),
                      HasSubstr(words)));
  }
}

TEST_F(Ranks, AProcessWithoutARankIsNamedByItsId) {
  const ProcessResult result = Shell(Rank("") + " & echo $! > " + folder_ + "/pid; wait");
  EXPECT_EQ(result.exit_code, 0);
  const std::string pid = Shell("cat " + folder_ + "/pid").out;
  EXPECT_TRUE(HasRecording(pid.substr(0, pid.find('\n')) + ".rec"));
}

TEST_F(Ranks, OfMpirunAreOneReport) {
  if (!HasMpirun()) GTEST_SKIP() << kNoMpirun;
  const ProcessResult result = Shell("mpirun --oversubscribe -n 12 " + Rank("launch"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(MergedReport(),
              AllOf(HasSubstr("summed over 12 recordings"), HasSubstr("12 of 12 ranks recorded\n"),
                    HasSubstr("ranks compared in 1 shape")));
}

TEST_F(Ranks, OfMpirunThatCoalcheckStartsAreOneReportToo) {
  if (!HasMpirun()) GTEST_SKIP() << kNoMpirun;
  environment_["COALCHECK_OPTIONS"] = "";
  environment_["CUDA_INJECTION64_PATH"] = "";
  const ProcessResult result =
      Shell(std::string(COALCHECK_COMMAND_FILE) + " --library " + COALCHECK_LIBRARY +
            " mpirun --oversubscribe -n 4 " + Rank(""));
  EXPECT_THAT(result.err, HasSubstr("4 of 4 ranks recorded\n"));
}

}  // namespace
}  // namespace coalcheck::testing

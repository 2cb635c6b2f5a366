// SPDX-License-Identifier: Apache-2.0
//
// Facts in, checks out: one change to a good machine at a time. MIG, vGPU, WSL, confidential
// computing and reserved counters were not run on real machines.
#include "libcoalcheck/doctor/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "libcoalcheck/base/cupti_errors.h"
#include "tests/unit/doctor/machines.h"

namespace coalcheck::doctor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Check Find(const Diagnosis& diagnosis, const std::string& id) {
  const auto found = std::ranges::find(diagnosis.checks, id, &Check::id);
  if (found != diagnosis.checks.end()) return *found;
  ADD_FAILURE() << "no check " << id;
  return {};
}

constexpr std::uint64_t kSysAdmin = std::uint64_t{1} << 21;
constexpr std::uint64_t kPerfmon = std::uint64_t{1} << 38;

struct Case {
  const char* name;
  std::function<void(Facts&)> change;
  const char* check;
  State state;
  const char* message;  // a part of it
  const char* remedy;   // a part of one of them; empty: there is none
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class OneChange : public ::testing::TestWithParam<Case> {};

TEST_P(OneChange, IsJudgedAndNothingElseIs) {
  const Case& c = GetParam();
  Facts facts = GoodMachine();
  c.change(facts);
  const Diagnosis diagnosis = Diagnose(facts);
  const Check check = Find(diagnosis, c.check);
  EXPECT_EQ(check.state, c.state) << check.message;
  EXPECT_THAT(check.message, HasSubstr(c.message));
  if (*c.remedy == '\0') {
    EXPECT_THAT(check.remedies, IsEmpty());
  } else {
    EXPECT_THAT(check.remedies, Contains(HasSubstr(c.remedy)));
  }
  for (const Check& other : diagnosis.checks) {
    if (other.id == c.check) continue;
    EXPECT_EQ(other.state, State::kOk) << other.id << other.message;
  }
}

const Case kCases[] = {
    {"NothingChanged", [](Facts&) {}, "driver", State::kOk, "580.159.04, CUDA 13.0", ""},
    {"DriverThatDoesNotStart",
     [](Facts& f) { f.driver.error = "cuInit: CUDA_ERROR_SYSTEM_NOT_READY (802)"; }, "driver",
     State::kProblem, "(802)", "nvidia-smi"},
    {"NoGpu", [](Facts& f) { f.driver.gpus.clear(); }, "gpu", State::kProblem, "shows no GPU",
     "CUDA_VISIBLE_DEVICES"},
    {"Volta",
     [](Facts& f) {
       f.driver.gpus = {{0, "V100", 7, 0}};
     },
     "gpu", State::kProblem, "V100 (sm_70) is older", "sm_75"},
    {"Turing",
     [](Facts& f) {
       f.driver.gpus = {{0, "T4", 7, 5}};
     },
     "gpu", State::kOk, "T4 (sm_75)", ""},
    {"VoltaBesideBlackwell",
     [](Facts& f) {
       f.driver.gpus = {{0, "B200", 10, 0}, {1, "V100", 7, 0}};
     },
     "gpu", State::kWarning, "GPU 1 V100 (sm_70) is older", "sm_75"},
    {"Mig", [](Facts& f) { f.management.mig_gpus = 1; }, "mig", State::kWarning, "error 43",
     "nvidia-smi -mig 0"},
    {"VirtualGpu", [](Facts& f) { f.management.vgpu_gpus = 1; }, "vgpu", State::kWarning,
     "error 40", "enable_profiling"},
    {"ConfidentialComputing", [](Facts& f) { f.management.confidential_computing = true; },
     "confidential_computing", State::kProblem, "error 41", "developer-tools"},
    {"ConfidentialComputingForDevelopers",
     [](Facts& f) {
       f.management.confidential_computing = true;
       f.management.confidential_developer_tools = true;
     },
     "confidential_computing", State::kWarning, "developer-tools mode", "developer-tools"},
    {"Wsl", [](Facts& f) { f.surroundings.wsl = true; }, "wsl", State::kWarning, "error 45",
     "control panel"},
    {"NoCupti",
     [](Facts& f) {
       f.cupti.found = true;
       f.cupti.error = "libcupti.so.13 was not found";
     },
     "cupti", State::kProblem, "was not found", "COALCHECK_CUPTI_PATH"},
    {"CuptiOfCuda12", [](Facts& f) { f.cupti.version = 26; }, "cupti", State::kProblem, "too old",
     "CUDA 13.0"},
    {"CuptiNewerThanTheDriver", [](Facts& f) { f.driver.cuda = CudaVersion{12080}; }, "cupti",
     State::kProblem, "driver, which is for CUDA 12.8", "CUDA 13.0"},
    {"CuptiALittleNewerThanTheDriver", [](Facts& f) { f.cupti.version = 130100; }, "cupti",
     State::kWarning, "CUDA 13.0", "CUDA 13.1"},
    {"CuptiOlderThanTheDriver", [](Facts& f) { f.driver.cuda = CudaVersion{13010}; }, "cupti",
     State::kOk, "CUDA 13.0", ""},
    {"CuptiWhoseProfilerTheGpuRefuses", [](Facts& f) { f.cupti.profiler_refusal = 38; }, "cupti",
     State::kWarning, "refuses cuptiProfilerInitialize (38)", ""},
    {"NoNvperf", [](Facts& f) { f.cupti.nvperf_path.clear(); }, "nvperf", State::kWarning,
     "libnvperf_host.so is not", "whole of CUPTI"},
    {"NoAgent",
     [](Facts& f) {
       f.agent = {"", {"/a", "/b"}};
     },
     "agent", State::kProblem, "/a, /b", "lib of one folder"},
    {"RaisedRights", [](Facts& f) { f.permissions.raised_rights = true; }, "agent", State::kProblem,
     "the library does nothing", "take them off the file"},
    {"ReservedCounters", [](Facts& f) { f.permissions.admin_only = true; }, "permission",
     State::kWarning, "RmProfilingAdminOnly: 1", "NVreg_RestrictProfilingToAdminUsers=0"},
    {"ReservedCountersInAContainer",
     [](Facts& f) {
       f.permissions.admin_only = true;
       f.surroundings.container = true;
     },
     "permission", State::kWarning, "", "docker run --gpus all --cap-add=SYS_ADMIN"},
    {"ReservedCountersOnGitHub",
     [](Facts& f) {
       f.permissions.admin_only = true;
       f.surroundings.github_actions = true;
     },
     "permission", State::kWarning, "", "options: --gpus all --cap-add=SYS_ADMIN"},
    {"ReservedCountersOnGitLab",
     [](Facts& f) {
       f.permissions.admin_only = true;
       f.surroundings.gitlab = true;
     },
     "permission", State::kWarning, "", "cap_add = [\"SYS_ADMIN\"]"},
    {"ReservedCountersForAnAdministrator",
     [](Facts& f) {
       f.permissions = {true, kSysAdmin};
     },
     "permission", State::kOk, "counts as one", ""},
    {"ReservedCountersWithPerfmonOnR580",
     [](Facts& f) {
       f.permissions = {true, kPerfmon};
     },
     "permission", State::kOk, "counts as one", ""},
    {"ReservedCountersWithPerfmonOnR550",
     [](Facts& f) {
       f.permissions = {true, kPerfmon};
       f.driver.release = "550.54.15";
     },
     "permission", State::kWarning, "from driver 565 on", "NVreg"},
    {"UnknownPermission", [](Facts& f) { f.permissions.admin_only.reset(); }, "permission",
     State::kUnknown, "does not say", ""},
    {"OtherClient",
     [](Facts& f) {
       f.clients = {{"Nsight Systems (nsys)", "NSYS_PROFILING_SESSION_ID is set"}};
     },
     "other_client", State::kWarning, "Nsight Systems (nsys): NSYS", "without it"},
    {"WrongInjection",
     [](Facts& f) {
       f.injection = {{"CUDA_INJECTION64_PATH", "/no", false, false, false}};
     },
     "injection_variables", State::kWarning, "/no names no file", "unset CUDA_INJECTION64_PATH"},
    {"InjectionOfSomethingElse",
     [](Facts& f) {
       f.injection = {{"CUDA_INJECTION64_PATH", "/a.txt", true, false, false}};
     },
     "injection_variables", State::kWarning, "not a library that CUDA can call", "unset"},
    {"InjectionOfAnotherTool",
     [](Facts& f) {
       f.injection = {{"CUDA_INJECTION64_PATH", "/x.so", true, true, false}};
     },
     "injection_variables", State::kWarning, "another tool's", "unset"},
    {"OwnInjection",
     [](Facts& f) {
       f.injection = {{"CUDA_INJECTION64_PATH", "/x.so", true, true, true}};
     },
     "injection_variables", State::kOk, "is coalcheck's", ""},
    {"UnreadableOptions",
     [](Facts& f) {
       f.options = {"--x", "there is no option --x"};
     },
     "own_variables", State::kWarning, "COALCHECK_OPTIONS cannot be used: there is no option --x",
     "coalcheck options"},
    {"WrongCuptiPath",
     [](Facts& f) {
       f.cupti_path = {"/no", false};
     },
     "own_variables", State::kWarning, "COALCHECK_CUPTI_PATH=/no is neither", "unset it"},
    {"ReadOnlyTemporaryFolder", [](Facts& f) { f.temporary.writable = false; }, "temporary_folder",
     State::kProblem, "is not writable", "TMPDIR"},
    {"FullTemporaryFolder", [](Facts& f) { f.temporary.free = Bytes(1 << 20); }, "temporary_folder",
     State::kWarning, "1 MiB free", "more room"},
};

INSTANTIATE_TEST_SUITE_P(Doctor, OneChange, ::testing::ValuesIn(kCases),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(Doctor, AGoodMachineWorks) {
  const Diagnosis diagnosis = Diagnose(GoodMachine());
  EXPECT_TRUE(diagnosis.works);
  EXPECT_EQ(diagnosis.summary, "counting works on 1 of 1 GPU(s)");
}

TEST(Doctor, WithoutADriverNothingWorksAndTheContainerIsToldHow) {
  Facts facts = GoodMachine();
  facts.driver = {};
  facts.self_tests.clear();
  facts.surroundings.container = true;
  const Diagnosis diagnosis = Diagnose(facts);
  EXPECT_FALSE(diagnosis.works);
  EXPECT_THAT(Find(diagnosis, "driver").remedies, Contains(HasSubstr("docker run --gpus all")));
  EXPECT_THAT(diagnosis.engines, IsEmpty());
}

TEST(Doctor, OneGoodGpuOfTwoIsEnough) {
  Facts facts = GoodMachine();
  facts.driver.gpus.push_back({1, "NVIDIA H200", 9, 0});
  facts.self_tests.push_back(PassedSelfTest());
  facts.self_tests[1].gpu = 1;
  facts.self_tests[1].timed_out = true;
  const Diagnosis diagnosis = Diagnose(facts);
  EXPECT_TRUE(diagnosis.works);
  EXPECT_EQ(diagnosis.summary, "counting works on 1 of 2 GPU(s)");
}

TEST(Doctor, AFailedSelfTestOutweighsGoodChecks) {
  Facts facts = GoodMachine();
  facts.self_tests[0].counts.clear();
  EXPECT_FALSE(Diagnose(facts).works);
}

TEST(Doctor, APassedSelfTestOutweighsReservedCounters) {
  Facts facts = GoodMachine();
  facts.permissions.admin_only = true;
  EXPECT_TRUE(Diagnose(facts).works);
}

TEST(Doctor, WithoutTheSelfTestAProblemDecides) {
  Facts facts = GoodMachine();
  facts.self_tests.clear();
  facts.self_test_wanted = false;
  EXPECT_TRUE(Diagnose(facts).works);
  facts.agent.path.clear();
  EXPECT_FALSE(Diagnose(facts).works);
}

TEST(Doctor, ASelfTestThatDidNotRunIsNoSuccess) {
  Facts facts = GoodMachine();
  facts.self_tests.clear();
  const Diagnosis diagnosis = Diagnose(facts);
  EXPECT_FALSE(diagnosis.works);
  ASSERT_THAT(diagnosis.engines, SizeIs(1));
  EXPECT_EQ(diagnosis.engines[0].state, EngineState::kNotRun);
}

TEST(CuptiErrors, EachThatAUserCanMeetIsExplained) {
  for (const int error : {26, 33, 35, 39, 40, 41, 42, 43, 44, 45}) {
    EXPECT_THAT(ExplainCuptiError(error), Not(IsEmpty())) << error;
  }
  for (const int error : {0, 1, 34, 999, -1}) EXPECT_THAT(ExplainCuptiError(error), IsEmpty());
}

}  // namespace
}  // namespace coalcheck::doctor

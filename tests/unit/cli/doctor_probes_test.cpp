// SPDX-License-Identifier: Apache-2.0
//
// The doctor's probes on made-up machines: folders that stand for `/`, variables from a map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <map>

#include "cli/doctor/child.h"
#include "cli/doctor/environment.h"
#include "cli/doctor/machine_files.h"
#include "tests/support/scratch_folder.h"

namespace coalcheck::cli::doctor {
namespace {

using coalcheck::doctor::ClientSign;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kEmptyInjection = COALCHECK_BINARY_DIR "/lib/libempty_injection.so";

class Machine : public ::testing::Test {
 protected:
  std::string root() const { return folder_.path().string(); }
  void Write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  Lookup lookup() const {
    return [this](const std::string& name) {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::string() : found->second;
    };
  }

  std::map<std::string, std::string> variables_;

 private:
  support::ScratchFolder folder_;
};

TEST_F(Machine, WithoutProcNothingIsKnown) {
  EXPECT_FALSE(ReadPermissions(root()).admin_only.has_value());
  EXPECT_FALSE(ReadPermissions(root()).effective_capabilities.has_value());
  EXPECT_EQ(ReadDriverRelease(root()), "");
  EXPECT_FALSE(IsInContainer(root()));
  EXPECT_FALSE(IsInWsl(root()));
  EXPECT_THAT(ReadAncestors(root()), IsEmpty());
  EXPECT_EQ(ReadTracer(root()), "");
}

TEST_F(Machine, PermissionsComeFromTheDriversParametersAndTheProcess) {
  Write("/proc/driver/nvidia/params",
        "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nRegistryDwords: \"\"\n");
  Write("/proc/self/status", "Name:\tcoalcheck\nCapPrm:\tff\nCapEff:\t0000004000200000\n");
  EXPECT_EQ(ReadPermissions(root()).admin_only, true);
  EXPECT_EQ(ReadPermissions(root()).effective_capabilities, 0x4000200000U);
  Write("/proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
  EXPECT_EQ(ReadPermissions(root()).admin_only, false);
}

TEST_F(Machine, NonsenseInProcIsNotBelieved) {
  Write("/proc/driver/nvidia/params", "RmProfilingAdminOnly: yes\n\xff:::\n");
  Write("/proc/self/status", "CapEff:\tfffffffffffffffffffff\nPPid:\t../../etc\nTracerPid: -1\n");
  EXPECT_FALSE(ReadPermissions(root()).admin_only.has_value());
  EXPECT_FALSE(ReadPermissions(root()).effective_capabilities.has_value());
  EXPECT_THAT(ReadAncestors(root()), IsEmpty());
  EXPECT_EQ(ReadTracer(root()), "");
}

TEST_F(Machine, TheDriversReleaseIsReadFromEitherKindOfModule) {
  Write("/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\n");
  EXPECT_EQ(ReadDriverRelease(root()), "580.159.04");
  Write("/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54  Tue Jun 6\nGCC version: 12.2.0\n");
  EXPECT_EQ(ReadDriverRelease(root()), "535.54");
}

TEST_F(Machine, ContainersAreKnownByTheirMarksAndGroups) {
  Write("/proc/self/cgroup", "0::/user.slice/session-1.scope\n");
  EXPECT_FALSE(IsInContainer(root()));
  Write("/proc/self/cgroup", "12:cpu:/kubepods/burstable/pod1\n");
  EXPECT_TRUE(IsInContainer(root()));
  Write("/proc/self/cgroup", "0::/\n");
  EXPECT_FALSE(IsInContainer(root()));
  Write("/.dockerenv", "");
  EXPECT_TRUE(IsInContainer(root()));
}

TEST_F(Machine, WslIsKnownByItsKernel) {
  Write("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  EXPECT_FALSE(IsInWsl(root()));
  Write("/proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n");
  EXPECT_TRUE(IsInWsl(root()));
}

TEST_F(Machine, CiSystemsAreKnownByTheirVariables) {
  EXPECT_FALSE(ReadSurroundings(lookup(), root()).github_actions);
  variables_ = {{"GITHUB_ACTIONS", "true"}, {"GITLAB_CI", "true"}};
  EXPECT_TRUE(ReadSurroundings(lookup(), root()).github_actions);
  EXPECT_TRUE(ReadSurroundings(lookup(), root()).gitlab);
}

TEST_F(Machine, OtherClientsAreNamedByVariableParentAndTracer) {
  EXPECT_THAT(FindClients(lookup(), root()), IsEmpty());
  variables_ = {{"NSYS_PROFILING_SESSION_ID", "7"}, {"NV_SANITIZER_INJECTION_PORT_BASE", "1"}};
  Write("/proc/self/status", "PPid:\t20\nTracerPid:\t10\n");
  Write("/proc/20/status", "PPid:\t10\n");
  Write("/proc/20/comm", "bash\n");
  Write("/proc/10/status", "PPid:\t0\n");
  Write("/proc/10/comm", "cuda-gdb\n");
  EXPECT_THAT(FindClients(lookup(), root()),
              ElementsAre(Field(&ClientSign::client, "Nsight Systems (nsys)"),
                          Field(&ClientSign::client, "compute-sanitizer"),
                          Field(&ClientSign::evidence, "cuda-gdb started this command"),
                          Field(&ClientSign::evidence, "cuda-gdb traces this command")));
}

TEST_F(Machine, AncestorsThatGoRoundEnd) {
  Write("/proc/self/status", "PPid:\t20\n");
  Write("/proc/20/status", "PPid:\t20\n");
  EXPECT_LE(ReadAncestors(root()).size(), 32U);
}

TEST_F(Machine, InjectionVariablesAreHeldAgainstTheFilesTheyName) {
  EXPECT_THAT(ReadInjection(lookup()), IsEmpty());
  Write("/text", "InitializeInjection");
  Write("/cut.so", std::string("\x7f") + "ELF InitializeInjection");
  std::filesystem::copy_file(kEmptyInjection, root() + "/other.so");
  std::filesystem::copy_file(kEmptyInjection, root() + "/libcoalcheck.so");
  const auto first = [&](const std::string& value) {
    variables_ = {{"CUDA_INJECTION64_PATH", value}};
    return ReadInjection(lookup()).at(0);
  };
  EXPECT_FALSE(first(root() + "/absent.so").exists);
  EXPECT_FALSE(first(root()).exists);
  EXPECT_TRUE(first(root() + "/text").exists);
  EXPECT_FALSE(first(root() + "/text").is_library);
  EXPECT_FALSE(first(root() + "/cut.so").is_library);
  EXPECT_FALSE(first("/proc/self/exe").is_library);
  EXPECT_TRUE(first(root() + "/other.so").is_library);
  EXPECT_FALSE(first(root() + "/other.so").is_ours);
  EXPECT_TRUE(first(root() + "/libcoalcheck.so").is_ours);
}

TEST_F(Machine, TheLibraryIsBesideTheCommandOrInLib) {
  EXPECT_EQ(FindAgent(root() + "/bin/coalcheck").path, "");
  EXPECT_THAT(FindAgent(root() + "/bin/coalcheck").looked,
              ElementsAre(root() + "/bin/libcoalcheck.so", root() + "/lib/libcoalcheck.so"));
  Write("/lib/libcoalcheck.so", "");
  EXPECT_EQ(FindAgent(root() + "/bin/coalcheck").path, root() + "/lib/libcoalcheck.so");
  Write("/bin/libcoalcheck.so", "");
  EXPECT_EQ(FindAgent(root() + "/bin/coalcheck").path, root() + "/bin/libcoalcheck.so");
}

TEST_F(Machine, ItsOwnVariablesAreTriedOut) {
  EXPECT_EQ(ReadOptionsVariable(lookup()).error, "");
  variables_ = {{"COALCHECK_OPTIONS", "--samplng all"}};
  EXPECT_EQ(ReadOptionsVariable(lookup()).error,
            "there is no option --samplng; did you mean --sampling?");
  const auto usable = [&](const std::string& value) {
    variables_ = {{"COALCHECK_CUPTI_PATH", value}};
    return ReadCuptiVariable(lookup()).usable;
  };
  Write("/empty/other", "");
  Write("/cupti/libcupti.so.13", "");
  EXPECT_FALSE(usable(root() + "/absent"));
  EXPECT_FALSE(usable(root() + "/empty"));
  EXPECT_TRUE(usable(root() + "/cupti"));
  EXPECT_TRUE(usable(root() + "/cupti/libcupti.so.13"));
}

TEST_F(Machine, TheTemporaryFolderIsTriedAndLeftEmpty) {
  variables_ = {{"TMPDIR", root()}};
  EXPECT_TRUE(ReadTemporaryFolder(lookup()).writable);
  EXPECT_GT(ReadTemporaryFolder(lookup()).free, Bytes(0));
  EXPECT_TRUE(std::filesystem::is_empty(root()));
  variables_ = {{"TMPDIR", root() + "/absent"}};
  EXPECT_FALSE(ReadTemporaryFolder(lookup()).writable);
}

TEST(DoctorChild, ItsOutputExitCodeAndSignalArrive) {
  const ChildResult spoke =
      RunChild({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, {}, std::chrono::seconds(20));
  EXPECT_EQ(spoke.out, "out\n");
  EXPECT_EQ(spoke.err, "err\n");
  EXPECT_EQ(spoke.exit_code, 3);
  EXPECT_EQ(RunChild({"/bin/sh", "-c", "kill -SEGV $$"}, {}, std::chrono::seconds(20)).signal, 11);
  EXPECT_THAT(RunChild({"/nonexistent"}, {}, std::chrono::seconds(20)).not_started,
              HasSubstr("No such file"));
}

TEST(DoctorChild, AHungOneIsKilledWithItsChildren) {
  const auto start = std::chrono::steady_clock::now();
  const ChildResult hung = RunChild({"/bin/sh", "-c", "echo begun; sleep 600 & sleep 600"}, {},
                                    std::chrono::milliseconds(300));
  EXPECT_TRUE(hung.timed_out);
  EXPECT_EQ(hung.out, "begun\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(DoctorChild, OneThatEndsIsNotWaitedForBecauseOfWhatItLeftBehind) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(RunChild({"/bin/sh", "-c", "sleep 600 &"}, {}, std::chrono::seconds(60)).exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(DoctorChild, MoreOutputThanAnybodyNeedsIsCut) {
  const ChildResult loud =
      RunChild({"/bin/sh", "-c", "head -c 3000000 /dev/zero"}, {}, std::chrono::seconds(60));
  EXPECT_EQ(loud.exit_code, 0);
  EXPECT_EQ(loud.out.size(), std::size_t{1} << 20);
}

TEST(DoctorChild, VariablesAreSetAndUnset) {
  setenv("COALCHECK_TEST_GOES", "1", 1);
  const ChildResult child =
      RunChild({"/bin/sh", "-c", "echo ${COALCHECK_TEST_GOES-unset} $COALCHECK_TEST_COMES"},
               {{"COALCHECK_TEST_GOES", {}}, {"COALCHECK_TEST_COMES", "two words"}},
               std::chrono::seconds(20));
  unsetenv("COALCHECK_TEST_GOES");
  EXPECT_EQ(child.out, "unset two words\n");
}

}  // namespace
}  // namespace coalcheck::cli::doctor

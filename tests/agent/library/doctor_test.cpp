// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck doctor` with its self-test, from the command to the last count, over stand-ins for the
// driver and CUPTI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/doctor/kernels.h"
#include "tests/agent/library/run_process.h"
#include "tests/support/files.h"

namespace coalcheck::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// The rows that CUPTI would give: each expected count at the instruction that makes it. `extra`
// sectors are added to each.
std::string Rows(std::uint64_t extra) {
  const std::string bytes = support::FileText(COALCHECK_DOCTOR_CUBIN);
  const absl::StatusOr<cubin::Cubin> module = cubin::Cubin::Parse(bytes);
  EXPECT_TRUE(module.ok()) << module.status();
  std::string rows;
  for (const doctor::SelfTestCounts& counts : doctor::ExpectedCounts()) {
    for (const auto& function : module->functions()) {
      for (const auto& access : function.accesses) {
        const bool same = function.name == counts.kernel &&
                          (access.kind == cubin::AccessKind::kStore) == counts.is_store;
        if (!same) continue;
        // Requests, lanes, the two of cp.async, sectors, ideal sectors, lines.
        rows += counts.kernel + " " + std::to_string(access.pc.value()) + " " +
                std::to_string(counts.requests) + " " + std::to_string(32 * counts.requests) +
                " 0 0 " + std::to_string(counts.sectors + extra) + " " +
                std::to_string(counts.ideal_sectors) + " " + std::to_string(counts.requests) + "\n";
      }
    }
  }
  return rows;
}

class Doctor : public ::testing::Test {
 protected:
  Doctor() {
    char name[] = "/tmp/coalcheck doctor's %p-XXXXXX";  // a folder that needs quoting
    folder_ = mkdtemp(name);
    environment_ = {{"LD_LIBRARY_PATH", COALCHECK_STAND_INS},
                    {"COALCHECK_CUPTI_PATH", COALCHECK_STAND_INS},
                    {"COALCHECK_OPTIONS", ""},
                    {"CUDA_INJECTION64_PATH", ""},
                    {"STAND_IN_JIT", COALCHECK_DOCTOR_CUBIN},
                    {"STAND_IN_ROWS", Rows(0)},
                    {"TMPDIR", folder_}};
  }
  ~Doctor() override { std::filesystem::remove_all(folder_); }

  // The answer; its exit code has to be `exit_code`, and nothing stays behind.
  json Ask(int exit_code) {
    const ProcessResult result =
        RunProcess({COALCHECK_COMMAND_FILE, "doctor", "--format", "json", "--deadline", "2"},
                   environment_, std::chrono::seconds(60));
    EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    json answer = json::parse(result.out, nullptr, false);
    EXPECT_TRUE(answer.is_object()) << result.out;
    return answer;
  }
  // The engine of the only GPU, which has to be in that state.
  json Engine(int exit_code, const std::string& state) {
    const json answer = Ask(exit_code);
    if (!answer.contains("engines") || answer["engines"].size() != 1) {
      ADD_FAILURE() << answer.dump(1);
      return {{"message", ""}, {"remedies", json::array()}};
    }
    EXPECT_EQ(answer["engines"][0]["state"], state) << answer.dump(1);
    return answer["engines"][0];
  }

  std::string folder_;
  std::map<std::string, std::string> environment_;
};

TEST_F(Doctor, ExactCountsMakeAnEngineThatWorks) {
  const json engine = Engine(0, "works");
  EXPECT_EQ(engine["gpu_name"], "Stand-in GPU");
  EXPECT_EQ(engine["message"],
            "a coalesced load counts 4 sectors a request, a strided one 32, as they should");
}

TEST_F(Doctor, OneSectorTooManyFails) {
  environment_["STAND_IN_ROWS"] = Rows(1);
  EXPECT_THAT(Engine(4, "fails")["message"].dump(), HasSubstr("513 sectors"));
}

TEST_F(Doctor, AWrongResultFails) {
  environment_["STAND_IN_MISBEHAVE"] = "wrong-result";
  EXPECT_THAT(Engine(4, "fails")["message"].dump(),
              HasSubstr("coalcheck_doctor_coalesced wrote 0 to place 7, not 8"));
}

TEST_F(Doctor, MissingPermissionComesWithItsRemedy) {
  environment_["STAND_IN_SET_CONFIG"] = "35";
  const json engine = Engine(4, "fails");
  EXPECT_THAT(engine["message"].dump(), HasSubstr("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)"));
  EXPECT_THAT(engine["remedies"].dump(), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST_F(Doctor, AnotherClientIsNamedByCupti) {
  environment_["STAND_IN_SUBSCRIBE"] = "39";
  const json engine = Engine(4, "fails");
  EXPECT_THAT(engine["message"].dump(), HasSubstr("the-other-profiler"));
  EXPECT_THAT(engine["remedies"].dump(), HasSubstr("another CUPTI client"));
}

TEST_F(Doctor, ASelfTestThatHangsIsKilledAndTold) {
  environment_["STAND_IN_MISBEHAVE"] = "hang";
  EXPECT_THAT(Engine(4, "fails")["message"].dump(), HasSubstr("did not end in 2 s"));
}

TEST_F(Doctor, ASelfTestThatCrashesIsTold) {
  environment_["STAND_IN_MISBEHAVE"] = "crash";
  EXPECT_THAT(Engine(4, "fails")["message"].dump(), HasSubstr("signal 11"));
}

TEST_F(Doctor, ADriverThatCrashesIsALineOfTheAnswer) {
  environment_["STAND_IN_MISBEHAVE"] = "crash-early";
  const json answer = Ask(4);
  EXPECT_EQ(answer["checks"][0]["state"], "problem");
  EXPECT_THAT(answer["checks"][0]["message"].dump(), HasSubstr("signal 11"));
}

TEST_F(Doctor, AnInjectionThatIsSetIsNamedAndDoesNotDisturbTheSelfTest) {
  environment_["CUDA_INJECTION64_PATH"] = "/nonexistent/tool.so";
  const json answer = Ask(0);
  for (const json& check : answer["checks"]) {
    if (check["id"] != "injection_variables") continue;
    EXPECT_EQ(check["state"], "warning");
    EXPECT_THAT(check["message"].dump(), HasSubstr("/nonexistent/tool.so"));
    return;
  }
  ADD_FAILURE() << answer.dump(1);
}

}  // namespace
}  // namespace coalcheck::testing

// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck doctor`: gathers the facts, has them judged, prints the answer; and the hidden
// commands of its child processes.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/base/color.h"
#include "cli/commands/commands.h"
#include "cli/doctor/environment.h"
#include "cli/doctor/machine_files.h"
#include "cli/doctor/self_test.h"
#include "cli/doctor/vendor_probes.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/option_checks.h"
#include "libcoalcheck/doctor/checks.h"
#include "libcoalcheck/doctor/diagnosis.h"
#include "libcoalcheck/doctor/output.h"

namespace coalcheck::cli {
namespace {

namespace judge = coalcheck::doctor;

struct DoctorOptions {
  std::string format = "text";
  std::string color = "auto";
  bool no_self_test = false;
  int deadline_seconds = static_cast<int>(doctor::kSelfTestDeadline.count());
};

std::string Environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::string OwnPath() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

void TestGpus(const std::string& executable, std::chrono::seconds deadline, judge::Facts& facts) {
  const bool possible = facts.driver.error.empty() && facts.cupti.error.empty() &&
                        !facts.agent.path.empty() && facts.temporary.writable;
  if (!possible) return;
  for (const judge::Gpu& gpu : facts.driver.gpus) {
    if (!judge::IsSupported(gpu)) continue;
    facts.self_tests.push_back(
        doctor::TestGpu(executable, facts.agent.path, facts.temporary.path, gpu.ordinal, deadline));
  }
}

judge::Facts GatherFacts(const DoctorOptions& options) {
  const std::string executable = OwnPath();
  judge::Facts facts;
  doctor::ProbeDriver(executable, facts.driver);
  facts.driver.release = doctor::ReadDriverRelease("");
  doctor::ProbeManagement(executable, facts.management);
  doctor::ProbeCupti(executable, facts.cupti);
  facts.agent = doctor::FindAgent(executable);
  facts.surroundings = doctor::ReadSurroundings(Environment, "");
  facts.permissions = doctor::ReadPermissions("");
  facts.clients = doctor::FindClients(Environment, "");
  facts.injection = doctor::ReadInjection(Environment);
  facts.options = doctor::ReadOptionsVariable(Environment);
  facts.cupti_path = doctor::ReadCuptiVariable(Environment);
  facts.temporary = doctor::ReadTemporaryFolder(Environment);
  facts.self_test_wanted = !options.no_self_test;
  if (facts.self_test_wanted) {
    TestGpus(executable, std::chrono::seconds(options.deadline_seconds), facts);
  }
  return facts;
}

int Doctor(const DoctorOptions& options) {
  const judge::Diagnosis diagnosis = judge::Diagnose(GatherFacts(options));
  const int exit_code = diagnosis.works ? kClean : kCouldNotCollect;
  std::cout << (options.format == "json"
                    ? judge::ToJson(diagnosis, exit_code)
                    : judge::ToText(diagnosis,
                                    WantsColor(options.color, isatty(STDOUT_FILENO) == 1)))
            << std::flush;
  return std::cout.good() ? exit_code : static_cast<int>(kInternalError);
}

// NVIDIA's libraries may print: their output goes to standard error. Standard output is for the
// answer.
int DoctorChild(const std::string& what, int gpu) {
  const int out = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::string answer;
  if (what == "driver") answer = doctor::AskDriver();
  if (what == "management") answer = doctor::AskManagement();
  if (what == "cupti") answer = doctor::AskCupti(Environment("COALCHECK_CUPTI_PATH"));
  if (what == "kernels") answer = doctor::RunKernels(gpu);
  for (std::size_t written = 0; written < answer.size();) {
    const ssize_t sent = write(out, answer.data() + written, answer.size() - written);
    if (sent <= 0) return kInternalError;
    written += static_cast<std::size_t>(sent);
  }
  return what == "kernels" && !answer.empty() ? kCouldNotCollect : kClean;
}

void AddDoctorChild(Command& coalcheck, SetExitCode set_exit_code) {
  struct Words {
    std::string what;
    int gpu = 0;
  };
  auto words = std::make_shared<Words>();
  Command command = coalcheck.AddCommand("doctor-child",
                                         "The parts of doctor that run in processes of their own");
  command.Hide();
  command.Add("what", &words->what)
      .Required()
      .Checked(OneOf({"driver", "management", "cupti", "kernels"}));
  command.Add("gpu", &words->gpu);
  command.OnParsed([words, set_exit_code = std::move(set_exit_code)] {
    set_exit_code(DoctorChild(words->what, words->gpu));
  });
}

}  // namespace

void AddDoctorCommand(Command& coalcheck, SetExitCode set_exit_code) {
  auto options = std::make_shared<DoctorOptions>();
  Command command = coalcheck.AddCommand(
      "doctor", "Say what works on this machine, what does not, and the remedy");
  command.Add("--format", &options->format, "how the answer is written [text]")
      .Takes("text|json")
      .Checked(OneOf({"text", "json"}));
  command.AddFromTable("color", &options->color).Checked(OneOf({"auto", "always", "never"}));
  command.AddFlag("--no-self-test", options->no_self_test,
                  "look, but run no kernels: nothing is counted");
  command
      .Add("--deadline", &options->deadline_seconds,
           "how long the self-test may take on each GPU [60]")
      .Takes("SECONDS")
      .Checked(WholeNumber(1, 3600, " of seconds"));
  command.Footer("Exit codes: 0 counting works (there may be warnings), 4 it does not, 2 usage.");
  command.OnParsed([options, set_exit_code] { set_exit_code(Doctor(*options)); });
  AddDoctorChild(coalcheck, std::move(set_exit_code));
}

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// Reads the options, makes the folder, runs the program, reports. Each step says why it fails.
#include "cli/commands/run.h"

#include <fmt/format.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/base/last_resort.h"
#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/launch/child.h"
#include "cli/launch/diagnosis.h"
#include "cli/launch/environment.h"
#include "cli/launch/library.h"
#include "cli/launch/session_folder.h"
#include "cli/launch/signals.h"
#include "cli/launch/status_line.h"
#include "cli/launch/watch.h"
#include "cli/launch/words.h"
#include "cli/report/outputs.h"
#include "cli/report/project_rules.h"
#include "cli/report/report.h"
#include "cli/report/report_options.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/option_checks.h"
#include "libcoalcheck/base/shell_word.h"
#include "libcoalcheck/options/agent_options.h"
#include "libcoalcheck/options/placeholders.h"
#include "libcoalcheck/recording/job_membership.h"

namespace coalcheck::cli {
namespace {

constexpr const char* kRunFooter =
    "The program gets its arguments, streams, terminal and signals as if it were started "
    "directly.\n"
    "\"--\" ends the options. The report goes to stderr, or to the files of -o and\n"
    "--format FORMAT=FILE.\n\n"
    "Exit codes: the program's own when it failed (its signal likewise), else 0 every access is\n"
    "clean, 1 findings, 2 usage, 3 nothing was checked, 4 the counters could not be collected or\n"
    "used in full, 5 internal error; 126 the program cannot be executed, 127 there is none.";

constexpr const char* kHint = "coalcheck run --help lists the options\n";

// What the command line and COALCHECK_OPTIONS ask for together.
struct Plan {
  ReportOptions report;
  std::string recording;
  std::string library;
  std::uint32_t children_deadline_ms =
      static_cast<std::uint32_t>(options::DefaultNumberOf("children-deadline"));
  std::uint32_t cpu_limit_s = 0;  // of the report
  bool quiet = false;
  bool no_report = false;
  std::vector<std::string> words;
};

std::string EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Values of the agent's options are for the agent's own parser; this one only knows their names.
void AddOptions(Command& command, Plan& plan, std::vector<std::string>& agent_values) {
  for (const options::OptionSpec& spec : options::OptionTable()) {
    if (spec.scope != options::Scope::kAgent) continue;
    if (spec.name == "recording" || spec.name == "no-report") continue;
    if (spec.value.empty()) {
      command.AddUnreadFlag("--" + std::string(spec.name), std::string(spec.help));
    } else {
      command.AddFromTable(spec.name, &agent_values);
    }
  }
  command.AddFromTable("recording", &plan.recording);
  command.AddFlagFromTable("no-report", plan.no_report);
  AddReportOptions(command, plan.report);
  AddCpuLimit(command, plan.cpu_limit_s);
  command.AddFromTable("library", &plan.library);
  command.AddFromTable("children-deadline", &plan.children_deadline_ms)
      .Checked(WholeNumber(0, 99'999'999, " of milliseconds"));
  command.AddFlagFromTable("quiet", plan.quiet);
}

constexpr const char* kDescription =
    "Run a program and say which of its source lines waste sectors";

// What `plan` and `agent_values` are filled from.
void SetUp(Command command, Plan& plan, std::vector<std::string>& agent_values) {
  command.Usage("Usage: coalcheck [run] [OPTIONS] [--] APP [ARGS…]\n");
  command.Footer(kRunFooter);
  AddOptions(command, plan, agent_values);
}

// How reading the options ended: go on, help was printed, or a mistake.
struct OptionsRead {
  bool done = false;
  std::string problem;
};

// Fills `plan` from words of the form that CombineOptions gives.
OptionsRead ParseOptions(const std::vector<std::string>& words, Plan& plan) {
  CommandParser parser(std::string(kDescription) + ".", "coalcheck run");
  std::vector<std::string> agent_values;
  SetUp(parser.root(), plan, agent_values);
  plan.words = words;
  Reading reading = parser.Read(words);
  if (reading.end == Reading::End::kMistake) return {false, std::move(reading.message)};
  if (reading.end == Reading::End::kPrinted) return {true, ""};
  const auto agent = options::ParseAgentOptions(AgentLine(words, "/"));
  if (!agent.ok()) return {false, agent.error()};
  const std::vector<WantedOutput> wanted_outputs = WantedOutputs(plan.report);
  if (plan.no_report && std::ranges::any_of(wanted_outputs, &WantedOutput::IsPlaced)) {
    return {false, "--no-report and --output contradict each other"};
  }
  for (const WantedOutput& wanted : wanted_outputs) {
    if (wanted.file || output::FormOf(wanted.format).is_lines) continue;
    return {false,
            fmt::format("--format {0} needs a place of its own: --format {0}=FILE, or -o - for "
                        "standard output (stderr has other lines too)",
                        ToString(wanted.format))};
  }
  std::string problem = WhyNoOutput(plan.report);
  if (problem.empty() && !plan.no_report) problem = WhyNoRules(plan.report);
  return {false, std::move(problem)};
}

// Fills `plan`. Returns an exit code when there is nothing to run.
std::optional<int> ReadOptions(const std::vector<std::string>& given, Plan& plan) {
  Result<std::vector<std::string>> merged =
      CombineOptions(EnvironmentVariable("COALCHECK_OPTIONS"), given);
  if (!merged.ok()) {
    Say(merged.error());
    return kUsage;
  }
  const OptionsRead read = ParseOptions(merged.value(), plan);
  if (read.done) return kClean;
  if (read.problem.empty()) return std::nullopt;
  Plan without_variable;
  const bool ours = !ParseOptions(given, without_variable).problem.empty();
  Say((ours ? "" : "COALCHECK_OPTIONS: ") + read.problem);
  std::cerr << kHint;
  return kUsage;
}

std::string HostName() {
  char name[HOST_NAME_MAX + 1] = {};
  return gethostname(name, HOST_NAME_MAX) == 0 ? name : "";
}

options::Placeholders WhatIsKnown() {
  const auto variable = [](const std::string& name) { return EnvironmentVariable(name.c_str()); };
  return {static_cast<std::uint64_t>(getpid()), HostName(),
          recording::JobMembershipIn(variable).rank, variable};
}

Injection PlanEnvironment(const Plan& plan, const std::string& library,
                          const SessionFolder& session) {
  std::vector<BeforeLaunch> before;
  for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    const std::string value = EnvironmentVariable(name);
    std::error_code ignored;
    before.push_back(
        {name, value, !value.empty() && std::filesystem::equivalent(value, library, ignored)});
  }
  Injection injection = PlanInjection(library, before);
  injection.variables.push_back({"COALCHECK_OPTIONS", AgentLine(plan.words, session.path())});
  return injection;
}

int SayWhyNotStarted(const std::string& program, int error) {
  Say(fmt::format("cannot execute {}: {}", program, WhyNotExecuted(program, error)));
  return error == ENOENT ? kNoSuchProgram : kCannotExecute;
}

// Runs the program and notes how it ended. Returns an exit code when it could not start.
std::optional<int> Launch(const std::vector<std::string>& program, const Plan& plan,
                          const Injection& injection, const SessionFolder& session,
                          findings::Launch& launch) {
  const HeldSignals signals;
  StatusLine status(session, !plan.quiet);
  Watch watch(signals, session, status);
  const Started started = StartProgram(program, injection.variables, signals);
  if (started.error != 0) return SayWhyNotStarted(program[0], started.error);
  Watched watched = watch.Run(started.pid, std::chrono::milliseconds(plan.children_deadline_ms));
  launch = {program, watched.end, std::move(watched.outlived), plan.report.exit_zero};
  return std::nullopt;
}

// The report's exit code.
int ReportOn(const std::vector<SessionRecording>& recordings, ReportOptions options,
             const findings::Launch& launch) {
  for (const SessionRecording& one : recordings) options.recordings.push_back(one.folder);
  options.launch = launch;
  options.standard_output = &std::cout;
  LookAtStream(STDERR_FILENO, options);
  return Report(options, std::cerr, std::cerr);
}

// Reports, if a report is wanted, and removes temporary recordings. Returns the exit code for a
// program that succeeded.
int Conclude(const SessionFolder& session, const Plan& plan, const findings::Launch& launch) {
  const std::vector<SessionRecording> recordings = session.Recordings();
  if (recordings.empty()) {
    std::vector<std::string> why = WhyNoRecording(launch.command[0]);
    if (session.IsReplaced()) {
      why = {
          fmt::format("{} is no longer the folder of the recordings, as something was put in its "
                      "place while the program ran; nothing in it was read",
                      session.path())};
    }
    for (const std::string& line : why) Say(line);
    session.LeaveNote(why);
    if (!plan.no_report) return ReportOn({}, plan.report, launch);
    Say("nothing was checked: no process of the program made a recording");
    return plan.report.exit_zero ? kClean : kNothingChecked;
  }
  if (plan.no_report) {
    Say(fmt::format("no report is made; read the recording with: coalcheck report {}",
                    ShellWord(session.path())));
    return kClean;
  }
  const int verdict = ReportOn(recordings, plan.report, launch);
  if (verdict == kInternalError && session.temporary()) {
    Say("the recording is kept: " + session.path());
  } else {
    session.Remove();
  }
  return verdict;
}

// The caller must see how the program ended, even where the report fails.
int ConcludeOrSay(const SessionFolder& session, const Plan& plan, const findings::Launch& launch) {
  try {
    return Conclude(session, plan, launch);
  } catch (const std::exception& error) {
    Say(fmt::format("internal error: {}; the recording is kept: {}", error.what(), session.path()));
    return kInternalError;
  }
}

// As a shell says it.
int ExitCodeOf(const recording::ProcessEnd& end) {
  const auto number = static_cast<int>(end.number);
  return end.kind == recording::EndKind::kSignal ? 128 + number : number;
}

int EndLike(const recording::ProcessEnd& end) {
  if (end.kind == recording::EndKind::kSignal) {
    std::cerr.flush();
    EndBySignal(static_cast<int>(end.number));
  }
  return ExitCodeOf(end);
}

int RunProgram(const std::vector<std::string>& program, const Plan& plan) {
  const Result<std::string> library = FindLibrary(plan.library);
  if (!library.ok()) {
    Say(library.error());
    return kUsage;
  }
  const Result<SessionFolder> session =
      SessionFolder::Make(options::ExpandPlaceholders(plan.recording, WhatIsKnown()));
  if (!session.ok()) {
    Say(session.error());
    return plan.recording.empty() ? kCouldNotCollect : kUsage;
  }
  if (!session.value().taken().empty()) {
    Say(fmt::format("{} holds a recording already; this one goes to {}", session.value().taken(),
                    session.value().path()));
  }
  const Injection injection = PlanEnvironment(plan, library.value(), session.value());
  for (const std::string& note : injection.notes) Say(note);
  findings::Launch launch;
  const auto not_started = Launch(program, plan, injection, session.value(), launch);
  if (not_started) {
    session.value().Discard();
    return *not_started;
  }
  const bool failed = launch.end.number != 0;
  LimitCpuTime(plan.cpu_limit_s, failed ? ExitCodeOf(launch.end) : kInternalError,
               fmt::format("coalcheck: the recording is kept: {}\n", session.value().path()));
  const int verdict = ConcludeOrSay(session.value(), plan, launch);
  return failed ? EndLike(launch.end) : verdict;
}

}  // namespace

int RunCommand(std::span<const std::string> words) {
  Result<LaunchWords> split = SplitLaunchWords(words);
  if (!split.ok()) {
    Say(split.error());
    std::cerr << kHint;
    return kUsage;
  }
  Plan plan;
  if (const std::optional<int> done = ReadOptions(split.value().options, plan)) return *done;
  if (split.value().program.empty()) {
    Say("which program? coalcheck [run] [OPTIONS] [--] APP [ARGS…]");
    return kUsage;
  }
  return RunProgram(split.value().program, plan);
}

// For --help, manual pages and completion; the words of a run are read by RunCommand.
void AddRunCommand(Command& coalcheck, SetExitCode) {
  struct Unread {
    Plan plan;
    std::vector<std::string> values;
    std::string app;
  };
  auto unread = std::make_shared<Unread>();
  Command command = coalcheck.AddCommand("run", kDescription);
  SetUp(command, unread->plan, unread->values);
  command.Add("app", &unread->app, "The program, then its own arguments").Required().Takes("APP");
  command.Add("args", &unread->values, "The program's arguments").Takes("ARGS");
  command.OnParsed([unread] {});
}

}  // namespace coalcheck::cli

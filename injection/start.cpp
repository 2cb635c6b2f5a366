// SPDX-License-Identifier: Apache-2.0
//
// The agent's parts, made once and deliberately never destroyed: threads of the host may still call
// in while the process ends.
#include "injection/start.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "injection/agent/agent.h"
#include "injection/agent/code/code_index.h"
#include "injection/agent/process/process_facts.h"
#include "injection/agent/process/report.h"
#include "injection/agent/process/say.h"
#include "injection/agent/process/watchdog.h"
#include "injection/cupti/callbacks.h"
#include "injection/cupti/cupti_library.h"
#include "injection/cupti/driver_device.h"
#include "injection/cupti/pc_sampler.h"
#include "injection/cupti/sass_collector.h"
#include "injection/nvtx/arming.h"
#include "injection/nvtx/copies_in_use.h"
#include "injection/process_books.h"
#include "libcoalcheck/base/shell_word.h"

namespace coalcheck {
namespace {

class SystemClock final : public agent::Clock {
 public:
  TimePoint Now() override { return std::chrono::steady_clock::now(); }
  void Rest(std::chrono::microseconds duration) override { std::this_thread::sleep_for(duration); }
};

struct Running {
  Running(const options::AgentOptions& chosen, cupti::Library opened, cupti::DriverDevice driver,
          recording::Header process)
      : options(chosen),
        library(std::move(opened)),
        device(std::move(driver)),
        collector(library.functions, chosen.metrics),
        sampler(library.functions, device),
        agent(chosen, WithCounters(std::move(process), collector),
              {collector, sampler, device, code, ProcessRanges(), ProcessSources(), clock}) {}

  static recording::Header WithCounters(recording::Header process,
                                        const cupti::SassCollector& collector) {
    process.counters = collector.CounterNames();
    return process;
  }

  const options::AgentOptions options;
  const cupti::Library library;
  cupti::DriverDevice device;
  cupti::SassCollector collector;
  cupti::PcSampler sampler;
  agent::CodeIndex code;
  SystemClock clock;
  agent::Agent agent;
  cupti::Subscription subscription;
};
Running* running = nullptr;
// Set once it is ready for calls from other threads.
std::atomic<agent::Agent*> active{nullptr};
// What a program asked for, perhaps before CUDA started.
enum class Switch { kAsOptionsSay, kOn, kOff };
std::atomic<Switch> switched{Switch::kAsOptionsSay};

void Apply(Switch asked, agent::Agent& agent) {
  if (asked == Switch::kOn) agent.SwitchOn();
  if (asked == Switch::kOff) agent.SwitchOff();
}

void Report() {
  const agent::Session& session = running->agent.session();
  const std::string& folder = session.folder();
  if (!running->options.report) {
    if (session.temporary()) agent::Say(fmt::format("the recording is {}", folder));
    return;
  }
  const std::string command = agent::FindCommand();
  if (command.empty()) {
    agent::Say(
        fmt::format("no report: the command coalcheck is not beside the library; read the "
                    "recording with: coalcheck report {}",
                    ShellWord(folder)));
    return;
  }
  switch (agent::RunReport(command, folder, running->options.report_arguments)) {
    case agent::ReportResult::kMade:
      if (session.temporary()) agent::RemoveRecording(folder);
      return;
    case agent::ReportResult::kFailed:
      agent::Say(
          fmt::format("the report failed; try again with: coalcheck report {}", ShellWord(folder)));
      return;
    case agent::ReportResult::kUnknown:
      return;  // the recording stays, in case the report did not come
  }
}

void Tick(void*) noexcept {
  try {
    running->agent.Tick();
    if (running->options.release == options::Release::kAfterSampling &&
        running->subscription.active() && running->agent.IsQuiet()) {
      running->agent.TryRelease([] { running->subscription.Release(running->library.functions); });
    }
  } catch (...) {
    return;  // out of memory: next time, perhaps
  }
}

// Called by exit and by quick_exit; a handler of the one may call the other.
void AtExit() noexcept {
  static std::atomic<bool> entered{false};
  if (entered.exchange(true)) return;
  try {
    running->agent.ProcessEnds("exit");
    const agent::Session& session = running->agent.session();
    if (!session.IsOurProcess()) return;
    if (session.begun()) {
      Report();
    } else if (!running->agent.stopped() && running->options.report) {
      agent::Say("nothing was checked: the program made no CUDA context");
    }
  } catch (...) {
    agent::Say("no report: out of memory");
  }
}

// Ranges that are not seen are noted in the recording, and on stderr where a filter `needs` them.
void ListenToRanges(bool needs) {
  // Looked for before the variable is set, so that a first call of NVTX in between is not missed.
  std::vector<std::string> deaf;
  if (!nvtx::VariableIsTaken()) deaf = nvtx::CopiesInUse();
  const nvtx::Arming arming = nvtx::ArmNvtx();
  if (arming == nvtx::Arming::kTheirs) {
    running->agent.RangesNotSeen("no NVTX range was seen: NVTX_INJECTION64_PATH names another tool",
                                 needs);
  }
  for (const std::string& object : deaf) {
    running->agent.RangesNotSeen(
        fmt::format("NVTX ranges of {} are not seen: it used NVTX before CUDA started; coalcheck "
                    "run, or NVTX_INJECTION64_PATH naming the same library, is there in time",
                    object),
        needs);
  }
}

agent::Status Start() {
  Result<options::AgentOptions> options =
      options::ParseAgentOptions(agent::Environment("COALCHECK_OPTIONS"));
  if (!options.ok()) return Error{"COALCHECK_OPTIONS: " + options.error()};
  // The driver is opened first: a process without CUDA need not load libcupti.
  Result<cupti::DriverDevice> device = cupti::DriverDevice::Open();
  if (!device.ok()) return Error{device.error()};
  Result<cupti::Library> library = cupti::OpenLibrary(agent::Environment("COALCHECK_CUPTI_PATH"));
  if (!library.ok()) return Error{library.error()};
  running = new Running(options.value(), std::move(library).value(), std::move(device).value(),
                        agent::DescribeProcess());
  Result<cupti::Subscription> subscribed =
      cupti::Subscribe(running->library.functions, running->device, running->agent);
  if (!subscribed.ok()) return Error{subscribed.error()};
  running->subscription = subscribed.value();
  running->agent.CallbacksUnknown(running->subscription.unknown_callbacks());
  active = &running->agent;
  Apply(switched, running->agent);
  std::atexit(AtExit);
  at_quick_exit(AtExit);
  pthread_atfork(nullptr, nullptr, [] { running->agent.Forked(); });
  ListenToRanges(options.value().filters.by_ranges());
  MakeExportsGlobal();
  agent::StartTicking(Tick, nullptr);
  return agent::Ok{};
}

}  // namespace

void StartAgent() noexcept {
  static std::atomic<bool> started{false};
  if (started.exchange(true)) return;
  try {
    const agent::Status result = Start();
    if (!result.ok()) agent::Say("nothing will be checked: " + result.error());
  } catch (...) {
    agent::Say("nothing will be checked: out of memory");
  }
}

void SwitchChecking(bool on) noexcept {
  switched = on ? Switch::kOn : Switch::kOff;
  if (agent::Agent* agent = active) Apply(switched, *agent);
}

void FlushRecording() noexcept {
  agent::Agent* agent = active;
  try {
    if (agent != nullptr) agent->Flush();
  } catch (...) {
    return;  // out of memory
  }
}

const char* RecordingFolder() noexcept {
  const agent::Agent* agent = active;
  if (agent == nullptr || !agent->session().begun()) return nullptr;
  return agent->session().IsOurProcess() ? agent->session().folder().c_str() : nullptr;
}

void MakeExportsGlobal() noexcept {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&MakeExportsGlobal), &here) == 0) return;
  static_cast<void>(dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL));
}

}  // namespace coalcheck

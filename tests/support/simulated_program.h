// SPDX-License-Identifier: Apache-2.0
//
// A program that uses the simulated device, watched by a real agent that writes a real recording.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "injection/agent/agent.h"
#include "libcoalcheck/recording/recorded_run.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/simulated_device.h"
#include "tests/support/simulated_sampler.h"

namespace coalcheck::testing {

struct SimulatedLaunch {
  SimulatedKernel kernel;
  std::uint32_t grid = 1;
  bool succeeds = true;
};

// Each member does what the driver does at a call: it tells the agent, does the work on the
// simulated device, and tells the agent again. Any thread.
class SimulatedProgram {
 public:
  // `options` are those of COALCHECK_OPTIONS; sampling is `first` and no cost is sampled unless
  // they say so.
  SimulatedProgram(agent::Clock& clock, const std::string& options);

  agent::Agent& agent() { return *agent_; }
  SimulatedDevice& device() { return device_; }
  SimulatedSampler& sampler() { return sampler_; }
  agent::RangeBook& ranges() { return ranges_; }
  agent::SourceBook& sources() { return sources_; }

  agent::ContextHandle CreateContext(std::uint32_t device = 0, bool is_current = true);
  void DestroyContext(agent::ContextHandle context);
  agent::StreamHandle CreateStream(agent::ContextHandle context,
                                   StreamType type = StreamType::kNonBlocking);
  void Launch(agent::ContextHandle context, agent::StreamHandle stream,
              const SimulatedLaunch& launch);
  void LaunchPlain(agent::ContextHandle context, agent::StreamHandle stream,
                   const std::string& kernel) {
    Launch(context, stream, SimulatedLaunch{{kernel}});
  }
  bool BeginCapture(agent::ContextHandle context, agent::StreamHandle stream);
  std::optional<agent::GraphHandle> EndCapture(agent::ContextHandle context,
                                               agent::StreamHandle stream);
  std::optional<agent::GraphExecHandle> Instantiate(agent::ContextHandle context,
                                                    std::optional<agent::GraphHandle> graph,
                                                    bool uploads = false);
  void LaunchGraph(agent::ContextHandle context, agent::StreamHandle stream,
                   agent::GraphExecHandle exec, bool succeeds = true);
  // Loads or unloads a module, which takes the driver so long.
  void ChangeCode(std::chrono::microseconds duration, agent::ContextHandle context = {});
  // Waits for the context, as cuCtxSynchronize does.
  void Synchronise(agent::ContextHandle context);

  // Ends the process, as far as the agent is concerned, and reads its recording.
  recording::RecordedRun End();
  // Reads the recording as it is now.
  recording::RecordedRun Read() const;
  // Of its records, in bytes.
  std::size_t RecordingSize() const;
  // Whether a launch went without the gate because the agent's longest wait had passed.
  bool anything_without_gate() const { return without_gate_.load(); }

  // How many launches outside graphs were asked what they were called with.
  std::uint64_t arguments_read() const { return arguments_read_; }

  // What must hold of every recording:
  //  * each shape's launches are those the program made, and are counted or skipped, each once;
  //  * what is counted is what lies inside windows;
  //  * a window's counts are those of exactly the launches inside it;
  //  * it has the arguments of all of them, or says why not.
  void ExpectTrue(const recording::RecordedRun& run) const;

 private:
  using Shape = std::pair<std::string, std::uint32_t>;  // kernel, grid
  // The agent's longest wait has passed: it goes on without the gate.
  bool WaitedTooLongSince(agent::Clock::TimePoint start);
  void ExpectTallies(const recording::RecordedRun& run) const;
  void ExpectArgumentsOf(const recording::Window& window) const;
  static void ExpectCountsOf(const recording::Window& window);

  std::string Recording() const { return folder_.path() / "recording"; }

  const support::ScratchFolder folder_;
  agent::Clock& clock_;
  SimulatedDevice device_;
  SimulatedSampler sampler_;
  agent::RangeBook ranges_;
  agent::SourceBook sources_;
  options::AgentOptions options_;
  std::unique_ptr<agent::Agent> agent_;
  std::atomic<std::uintptr_t> last_handle_{0x100};
  std::atomic<bool> without_gate_{false};
  std::atomic<std::uint64_t> arguments_read_{0};

  mutable std::mutex mutex_;
  std::map<Shape, std::uint64_t> made_;
  std::map<agent::GraphExecHandle, std::vector<Shape>> execs_;
};

}  // namespace coalcheck::testing

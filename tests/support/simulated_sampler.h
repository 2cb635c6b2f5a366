// SPDX-License-Identifier: Apache-2.0
//
// PC sampling of a simulated GPU, as far as the agent can tell the difference.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "injection/agent/sampling/sampler.h"
#include "libcoalcheck/recording/recorded_run.h"
#include "tests/support/simulated_device.h"

namespace coalcheck::testing {

// Models what was seen on hardware:
//  * it begins and ends while nobody loads or unloads code: on hardware both can hang, so here they
//    fail the test;
//  * to end it waits for every kernel of the context, which fails the test too;
//  * beginning and ending it while a stream captures breaks the capture, and fails the test;
//  * samples that nobody reads fill a buffer; what comes then is lost until the end;
//  * one context of a device at a time.
// The test says which samples come in. Any thread.
class SimulatedSampler final : public agent::Sampler {
 public:
  SimulatedSampler(SimulatedDevice& device, agent::Clock& clock) : device_(device), clock_(clock) {}

  // Samples of a function of the cubin 1 come in. Nothing happens where nobody samples.
  void Sample(agent::ContextHandle context, const agent::SampledPc& samples);
  void SampleElsewhere(agent::ContextHandle context, Samples samples);
  // Samples that the device counts and never gives.
  void LoseSight(agent::ContextHandle context, Samples samples);

  // What the next calls answer, until set empty.
  struct Faults {
    std::optional<std::string> begin = {}, read = {}, end = {};
  };
  void SetFaults(const Faults& faults);
  void SetFreeMemory(std::optional<Bytes> free);
  void SetMostSamples(Samples most);
  // Each call that reads takes so long.
  void SetReadTime(std::chrono::microseconds time);
  static constexpr std::size_t kPcsInOneRead = 4;

  // Every sample that came in is in a row of the recording.
  void ExpectAllWritten(const recording::RecordedRun& run);
  bool IsSampled(agent::ContextHandle context);
  Bytes last_buffer();
  std::uint64_t reads();

  std::optional<Bytes> FreeMemory(agent::ContextHandle context) override;
  Result<std::vector<std::string>> Begin(agent::ContextHandle context, options::SamplePeriod period,
                                         Bytes buffer) override;
  Result<agent::SampleBatch> Read(agent::ContextHandle context) override;
  Result<agent::SampleBatch> End(agent::ContextHandle context) override;

 private:
  struct Sampled {
    std::vector<agent::SampledPc> waiting;
    agent::SampleBatch sums;  // but for `pcs`
    Samples held;
    bool full = false;
  };
  void ExpectStill(agent::ContextHandle context, const char* what);
  static agent::SampleBatch Take(Sampled& sampled, std::size_t most);

  SimulatedDevice& device_;
  agent::Clock& clock_;
  std::mutex mutex_;
  std::map<agent::ContextHandle, Sampled> sampled_;
  Faults faults_;
  std::optional<Bytes> free_;
  Samples most_{1000000};
  std::chrono::microseconds read_time_{0};
  Bytes last_buffer_;
  std::uint64_t reads_ = 0;
  Samples came_in_;
};

}  // namespace coalcheck::testing

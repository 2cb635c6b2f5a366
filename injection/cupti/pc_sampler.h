// SPDX-License-Identifier: Apache-2.0
//
// The Sampler over CUPTI's PC sampling in continuous mode, in which kernels are not serialised.
//
// The life cycle
//   1. before the context's first code is loaded, or that code is not known to it for good: Enable,
//      then the names of the stall reasons, then the configuration: mode, period, hardware
//      buffer, and a data buffer that only Disable writes to.
//   2. GetData into another buffer, as often as one likes. It waits for nothing; what a thread of
//      CUPTI's own has not decoded yet comes with a later call.
//   3. Disable, which waits for kernels that run, and takes what the hardware still has into the
//      data buffer of point 1. Beside a thread that loads code, Enable or Disable hang.
// A full hardware buffer answers GetData with OUT_OF_MEMORY from then on.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "injection/agent/sampling/gpu_claim.h"
#include "injection/agent/sampling/sampler.h"
#include "injection/cupti/cupti_library.h"
#include "injection/cupti/driver_device.h"

namespace coalcheck::cupti {

class PcSampleBuffer;

class PcSampler final : public agent::Sampler {
 public:
  PcSampler(const Functions& functions, const DriverDevice& device);
  ~PcSampler() override;

  std::optional<Bytes> FreeMemory(agent::ContextHandle context) override;
  Result<std::vector<std::string>> Begin(agent::ContextHandle context, options::SamplePeriod period,
                                         Bytes buffer) override;
  Result<agent::SampleBatch> Read(agent::ContextHandle context) override;
  Result<agent::SampleBatch> End(agent::ContextHandle context) override;

 private:
  struct State;
  Result<std::vector<std::string>> Set(agent::ContextHandle context, options::SamplePeriod period,
                                       Bytes buffer);
  Result<std::vector<std::string>> Reasons(agent::ContextHandle context, State& state) const;
  CUptiResult Configure(agent::ContextHandle context, options::SamplePeriod period, Bytes buffer,
                        State& state) const;
  CUptiResult Disable(agent::ContextHandle context) const;
  Error Failed(const char* call, CUptiResult result) const {
    return Error{Describe(functions_, call, result)};
  }

  const Functions functions_;
  const DriverDevice& device_;
  agent::GpuClaims claims_;
  std::map<agent::ContextHandle, std::unique_ptr<State>> states_;
  // CUPTI keeps the addresses of their buffers for good.
  std::vector<std::unique_ptr<State>> discarded_;
};

}  // namespace coalcheck::cupti

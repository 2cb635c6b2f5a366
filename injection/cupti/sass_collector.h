// SPDX-License-Identifier: Apache-2.0
//
// The Collector over CUPTI's SASS metrics.
//
// The life cycle that works
//   1. once per process, at the first launch: cuptiProfilerInitialize. Without it the metrics of
//      point 2 are "not initialized"; inside cuInit, where the agent starts, it fails;
//   2. once per device, with a context of it current: chip name, metric ids, SetConfig. A second
//      SetConfig of one device fails, so the metrics are chosen once and for all;
//   3. per window: Enable (lazy: a kernel is patched when it is first launched), the launch, its
//      end, GetDataProperties, FlushData, Disable. FlushData after Disable finds nothing;
//   4. before the context of point 2 is destroyed: UnsetConfig. Without it the process crashes when
//      it exits, and a window in any other context of the device makes the program's own kernels
//      fail. Nothing can be configured after it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "injection/agent/base/device.h"
#include "injection/cupti/cupti_library.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::cupti {

class SassCollector final : public agent::Collector {
 public:
  SassCollector(const Functions& functions, options::Metrics metrics);

  std::vector<std::string> CounterNames() const override;
  agent::Status Prepare(agent::ContextHandle context) override;
  bool CountsThrough(agent::ContextHandle context) override;
  void TakeDown(agent::ContextHandle context) override;
  agent::Status Enable(agent::ContextHandle context) override;
  Result<std::vector<agent::InstructionCounts>> Flush(agent::ContextHandle context) override;
  Result<std::uint64_t> Disable(agent::ContextHandle context) override;

 private:
  Result<std::vector<agent::InstructionCounts>> FlushAll(agent::ContextHandle context);
  using Columns = std::unordered_map<std::uint64_t, std::size_t>;  // metric id → counter
  using Configured = std::map<std::uint32_t, agent::ContextHandle>;
  Configured::iterator FindConfigured(agent::ContextHandle context) COALCHECK_REQUIRES(mutex_);
  agent::Status Initialize() COALCHECK_REQUIRES(mutex_);
  agent::Status Configure(std::uint32_t device) COALCHECK_REQUIRES(mutex_);
  Result<std::uint64_t> MetricId(const char* chip, const std::string& metric) const;
  agent::InstructionCounts Convert(const CUpti_SassMetrics_Data& data, std::size_t slots,
                                   const Columns& columns) const;
  Error Failed(const char* call, CUptiResult result) const {
    return Error{Describe(functions_, call, result)};
  }

  const Functions functions_;
  const options::Metrics metrics_;
  const std::size_t counters_;
  // Held across calls of CUPTI, which may need what another thread holds: hence the deadline.
  Mutex mutex_;
  bool initialized_ COALCHECK_GUARDED_BY(mutex_) = false;
  // The context that was current at the device's SetConfig.
  Configured configured_ COALCHECK_GUARDED_BY(mutex_);
  Columns column_of_metric_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::cupti

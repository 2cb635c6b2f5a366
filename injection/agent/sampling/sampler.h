// SPDX-License-Identifier: Apache-2.0
//
// What the agent asks of PC sampling: where warps are and why they wait. Plain values only, as in
// device.h, so that tests put a simulated device behind it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "injection/agent/base/device.h"
#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/result.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/options/pc_sampling_options.h"

namespace coalcheck::agent {

// The samples of one instruction.
struct SampledPc {
  CubinId cubin;  // the agent's own hash; may be of a module that it did not see
  std::string function;
  PcOffset pc;
  std::vector<std::pair<StallReason, Samples>> stalls;
};

// A part of the samples that came in.
struct SampleBatch {
  std::vector<SampledPc> pcs;
  Samples total;      // all there were; may run ahead of `pcs`, which may come with a later batch
  Samples placed;     // in `pcs`, those that two reasons count taken once
  Samples dropped;    // by the hardware, which could not keep up
  Samples elsewhere;  // in code that is not the program's
  bool more = false;  // there is more to read
  bool buffer_full = false;  // later samples are lost, and no more will come
};

// Samples program counters on the device while kernels run unchanged. Calls are made one at a time,
// and not while code is loaded or unloaded. The context need not be current. Samples of code loaded
// before Begin, and of patched code, count as `elsewhere`.
class Sampler {
 public:
  virtual ~Sampler() = default;
  // Device memory that is free; empty: it cannot be told.
  virtual std::optional<Bytes> FreeMemory(ContextHandle context) = 0;
  // From here on the context is sampled. The value names the stall reasons. One context of a device
  // at a time.
  virtual Result<std::vector<std::string>> Begin(ContextHandle context,
                                                 options::SamplePeriod period, Bytes buffer) = 0;
  // Takes some of what came in. Does not wait for kernels.
  virtual Result<SampleBatch> Read(ContextHandle context) = 0;
  // Ends sampling and takes what was left. Waits for kernels: ask Device first.
  virtual Result<SampleBatch> End(ContextHandle context) = 0;
};

}  // namespace coalcheck::agent

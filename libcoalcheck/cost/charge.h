// SPDX-License-Identifier: Apache-2.0
//
// Charges the samples of a function to the instructions that cause its stalls. A sample lies where
// a warp waits; this finds what it waits for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/cost/stall_kind.h"

namespace coalcheck::machine_code {
class CodeImage;
}

namespace coalcheck::cost {

using StallsByPc = std::map<PcOffset, StallTimes>;

// Every sampled cycle is in exactly one of these members.
struct Charged {
  StallsByPc accesses;     // waits for accesses to global memory, by their pc
  StallTime others;        // waits for other instructions, and work
  StallTime unattributed;  // no cause was found: the code is missing, or the search met a call or
                           // its bound
  StallTime Sum() const;
};

// By which a stall is shared among the instructions that the warp waits for at the same time: the
// sectors each touched, since the memory pipe serves one request after the other and a request of
// many sectors delays the others. Shared equally if all are 0.
using Weight = std::function<Sectors(PcOffset)>;

// A cubin whose code is read once for all its functions. Its bytes are not trusted.
class SampledCubin {
 public:
  // `cubin` must outlive it.
  explicit SampledCubin(std::string_view cubin);
  ~SampledCubin();
  SampledCubin(const SampledCubin&) = delete;
  SampledCubin& operator=(const SampledCubin&) = delete;

  // `stalls` are those of the function `name`.
  Charged Charge(std::string_view name, const StallsByPc& stalls, const Weight& weight) const;

 private:
  std::unique_ptr<const machine_code::CodeImage> image_;  // null where it cannot be read
};

}  // namespace coalcheck::cost

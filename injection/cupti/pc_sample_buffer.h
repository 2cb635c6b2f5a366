// SPDX-License-Identifier: Apache-2.0
//
// Memory into which CUPTI writes samples, and their translation.
#pragma once

#include <cupti.h>
#include <cupti_pcsampling.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "injection/agent/sampling/sampler.h"

namespace coalcheck::cupti {

// CUPTI's numbers of the stall reasons, which need not begin at 0 nor be dense.
struct StallReasons {
  std::unordered_map<std::uint32_t, StallReason> place_of;
  // By place: the reason is the one that a sample has, not a second look at it or a sum.
  std::vector<bool> counts_once;
};

// Neither copied nor moved: CUPTI keeps its address.
class PcSampleBuffer {
 public:
  // For so many instructions at a time, each with up to `reasons` reasons.
  PcSampleBuffer(std::size_t instructions, std::size_t reasons);
  PcSampleBuffer(const PcSampleBuffer&) = delete;
  PcSampleBuffer& operator=(const PcSampleBuffer&) = delete;

  void* data() { return &data_; }
  // What CUPTI wrote, once; the buffer counts as empty then.
  agent::SampleBatch Take(const StallReasons& reasons);

 private:
  CUpti_PCSamplingData data_{};
  std::vector<CUpti_PCSamplingPCData> instructions_;
  std::vector<CUpti_PCSamplingStallReason> stalls_;
};

}  // namespace coalcheck::cupti

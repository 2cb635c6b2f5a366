// SPDX-License-Identifier: Apache-2.0
//
// Reading CUPTI's packed records. The names in them are CUPTI's to keep: records share them, so
// that to free one, as the header asks, would take it from the next.
#include "injection/cupti/pc_sample_buffer.h"

#include <algorithm>

namespace coalcheck::cupti {
namespace {

// Its samples, and in `once` how many of them no other reason of the instruction counts.
agent::SampledPc Convert(const CUpti_PCSamplingPCData& data, const StallReasons& reasons,
                         Samples& once) {
  agent::SampledPc sampled{
      .cubin = CubinId(data.cubinCrc),
      .function = data.functionName == nullptr ? "" : data.functionName,
      .pc = PcOffset(static_cast<std::uint32_t>(data.pcOffset)),
      .stalls = {},
  };
  for (std::size_t i = 0; i < data.stallReasonCount; ++i) {
    const std::uint32_t index = data.stallReason[i].pcSamplingStallReasonIndex;
    const Samples samples(data.stallReason[i].samples);
    const auto place = reasons.place_of.find(index);
    if (place == reasons.place_of.end()) continue;
    sampled.stalls.emplace_back(place->second, samples);
    if (reasons.counts_once[place->second.value()]) once += samples;
  }
  return sampled;
}

}  // namespace

PcSampleBuffer::PcSampleBuffer(std::size_t instructions, std::size_t reasons)
    : instructions_(instructions), stalls_(instructions * reasons) {
  data_.size = sizeof data_;
  data_.collectNumPcs = instructions;
  data_.pPcData = instructions_.data();
  for (std::size_t i = 0; i < instructions; ++i) {
    instructions_[i].size = sizeof instructions_[i];
    instructions_[i].stallReason = &stalls_[i * reasons];
  }
}

agent::SampleBatch PcSampleBuffer::Take(const StallReasons& reasons) {
  agent::SampleBatch batch;
  batch.total = Samples(data_.totalSamples);
  batch.dropped = Samples(data_.droppedSamples);
  batch.elsewhere = Samples(data_.nonUsrKernelsTotalSamples);
  batch.more = data_.remainingNumPcs > 0;
  batch.buffer_full = data_.hardwareBufferFull != 0;
  const std::size_t count = std::min<std::size_t>(data_.totalNumPcs, instructions_.size());
  batch.pcs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    batch.pcs.push_back(Convert(instructions_[i], reasons, batch.placed));
  }
  data_.totalNumPcs = 0;
  data_.totalSamples = 0;
  data_.droppedSamples = 0;
  data_.nonUsrKernelsTotalSamples = 0;
  data_.remainingNumPcs = 0;
  data_.hardwareBufferFull = 0;
  return batch;
}

}  // namespace coalcheck::cupti

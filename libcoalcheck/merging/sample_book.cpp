// SPDX-License-Identifier: Apache-2.0
//
// Alike: on equal devices, with equal periods, buffers and reasons.
#include "libcoalcheck/merging/sample_book.h"

namespace coalcheck::merging {

using recording::FunctionSamples;
using recording::PcSampling;

void SampleBook::AddBatch(const recording::PcSamples& batch, Sum& sum) {
  sum.dropped += batch.dropped;
  sum.elsewhere += batch.elsewhere;
  sum.unplaced += batch.unplaced;
  for (const FunctionSamples& function : batch.functions) {
    auto& rows = sum.functions[{function.cubin, function.function}];
    for (const recording::SampleRow& row : function.rows) rows[{row.pc, row.reason}] += row.samples;
  }
}

bool SampleBook::Add(const recording::RecordedRun& run,
                     const std::map<DeviceIndex, std::uint32_t>& devices) {
  std::map<PcSamplingId, Sum*> sums;
  for (const PcSampling& one : run.pc_samplings) {
    sums[one.sampling] = &sums_[{devices.at(one.device), one.period, one.buffer, one.reasons}];
  }
  bool any = false;
  for (const recording::PcSamples& batch : run.pc_samples) {
    const auto found = sums.find(batch.sampling);
    if (found == sums.end()) continue;  // without its period it says nothing
    AddBatch(batch, *found->second);
    any = true;
  }
  return any;
}

void SampleBook::Take(const std::vector<std::uint32_t>& devices, recording::RecordedRun& run) && {
  std::map<Key, Sum> ordered;
  for (auto& [key, sum] : sums_) {
    Key renumbered = key;
    std::get<0>(renumbered) = devices[std::get<0>(key)];
    ordered.emplace(std::move(renumbered), std::move(sum));
  }
  sums_.clear();
  for (auto& [key, sum] : ordered) {
    const PcSamplingId id(run.pc_samplings.size() + 1);
    const auto& [device, period, buffer, reasons] = key;
    run.pc_samplings.push_back({id, DeviceIndex(device), ContextId(0), period, buffer, reasons});
    recording::PcSamples batch{id, sum.dropped, sum.elsewhere, sum.unplaced, {}};
    for (const auto& [function, rows] : sum.functions) {
      FunctionSamples& samples = batch.functions.emplace_back();
      samples.cubin = function.first;
      samples.function = function.second;
      for (const auto& [row, count] : rows) samples.rows.push_back({row.first, row.second, count});
    }
    run.pc_samples.push_back(std::move(batch));
  }
}

}  // namespace coalcheck::merging

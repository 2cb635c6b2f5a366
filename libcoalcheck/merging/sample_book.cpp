// SPDX-License-Identifier: Apache-2.0
//
// Alike: on equal devices, with equal periods, buffers and reasons.
#include "libcoalcheck/merging/sample_book.h"

#include "libcoalcheck/recording/json_line.h"

namespace coalcheck::merging {

using recording::FunctionSamples;
using recording::PcSamples;
using recording::PcSampling;

namespace {

// In bytes of its line: three numbers, and all that a record may have but for its other fields.
constexpr std::size_t kMostOfRow = 48;
constexpr std::size_t kMostOfBatch = recording::kMaxLineBytes - 1024;

}  // namespace

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

void SampleBook::TakeBatches(PcSamples first, const Functions& functions,
                             std::vector<PcSamples>& to) {
  PcSamples batch = std::move(first);
  std::size_t bytes = 0;
  const auto begin_next = [&] {
    const PcSamplingId id = batch.sampling;
    to.push_back(std::exchange(batch, PcSamples{id, {}, {}, {}, {}}));
    bytes = 0;
  };
  for (const auto& [function, rows] : functions) {
    const FunctionSamples named{function.first, function.second, {}};
    const std::size_t own = recording::ToJsonLine(PcSamples{{}, {}, {}, {}, {named}}).size();
    bool is_named = false;
    for (const auto& [row, count] : rows) {
      if (bytes > 0 && bytes + (is_named ? 0 : own) + kMostOfRow > kMostOfBatch) {
        begin_next();
        is_named = false;
      }
      if (!is_named) {
        batch.functions.push_back(named);
        bytes += own;
        is_named = true;
      }
      batch.functions.back().rows.push_back({row.first, row.second, count});
      bytes += kMostOfRow;
    }
  }
  to.push_back(std::move(batch));
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
    TakeBatches({id, sum.dropped, sum.elsewhere, sum.unplaced, {}}, sum.functions, run.pc_samples);
  }
}

}  // namespace coalcheck::merging

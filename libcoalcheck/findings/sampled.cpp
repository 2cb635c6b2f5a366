// SPDX-License-Identifier: Apache-2.0
//
// Samples times period, by what their stall reasons mean.
#include "libcoalcheck/findings/sampled.h"

#include <absl/container/flat_hash_map.h>

#include <limits>
#include <vector>

namespace coalcheck::findings {
namespace {

constexpr std::string_view kNoSampling = "no_pc_sampling";
constexpr std::string_view kSamplesLost = "pc_samples_lost";
constexpr std::uint64_t kMostCycles = std::numeric_limits<std::uint64_t>::max();

// What one sampling's batches are read with.
struct Reading {
  Cycles period;
  std::vector<std::optional<cost::StallReasonMeaning>> meanings;  // by StallReason
};

// Saturating, as sums of quantities are.
Cycles TimeOf(Samples samples, Cycles period) {
  const std::uint64_t most = kMostCycles / period.count();
  return Cycles(samples.count() > most ? kMostCycles : samples.count() * period.count());
}

void AddRow(const recording::SampleRow& row, const Reading& reading, cost::StallsByPc& stalls) {
  if (row.reason.value() >= reading.meanings.size()) return;
  const auto& meaning = reading.meanings[row.reason.value()];
  if (!meaning) return;
  const Cycles time = TimeOf(row.samples, reading.period);
  cost::StallTime& sum = stalls[row.pc][meaning->kind];
  if (meaning->exposed_only) {
    sum.exposed += time;
  } else {
    sum.all += time;
  }
}

void AddBatch(const recording::PcSamples& batch, const Reading& reading, Sampled& sampled) {
  sampled.elsewhere += TimeOf(batch.elsewhere, reading.period);
  sampled.unplaced += TimeOf(batch.unplaced, reading.period);
  sampled.dropped += TimeOf(batch.dropped, reading.period);
  for (const recording::FunctionSamples& function : batch.functions) {
    cost::StallsByPc& stalls = sampled.functions[{function.cubin, function.function}];
    for (const recording::SampleRow& row : function.rows) AddRow(row, reading, stalls);
  }
}

}  // namespace

void AddSamples(const recording::RecordedRun& run, Sampled& sampled) {
  absl::flat_hash_map<PcSamplingId, Reading> readings;
  for (const recording::PcSampling& sampling : run.pc_samplings) {
    Reading& reading = readings[sampling.sampling];
    reading.period = sampling.period;
    for (const std::string& reason : sampling.reasons) {
      reading.meanings.push_back(cost::MeaningOf(reason));
    }
  }
  for (const recording::PcSamples& batch : run.pc_samples) {
    const auto reading = readings.find(batch.sampling);
    if (reading == readings.end() || reading->second.period == Cycles(0)) continue;
    sampled.any = true;
    AddBatch(batch, reading->second, sampled);
  }
  for (const recording::Loss& loss : run.losses) {
    sampled.is_partial = sampled.is_partial || loss.what == kSamplesLost;
    if (loss.what == kNoSampling && sampled.why_not.empty()) sampled.why_not = loss.detail;
  }
}

}  // namespace coalcheck::findings

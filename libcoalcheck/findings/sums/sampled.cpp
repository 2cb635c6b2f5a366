// SPDX-License-Identifier: Apache-2.0
//
// Samples times period, by what their stall reasons mean, and what memory could have done
// meanwhile.
#include "libcoalcheck/findings/sums/sampled.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "libcoalcheck/recording/losses.h"

namespace coalcheck::findings {
namespace {

constexpr std::uint64_t kMostCycles = std::numeric_limits<std::uint64_t>::max();

// What one sampling's batches are read with.
struct Reading {
  Cycles period;
  std::vector<std::optional<cost::StallReasonMeaning>> meanings;  // by StallReason
  cost::DeviceLimits limits;
  bool has_prices = false;
};

// Blocks of the largest launch of each kernel.
using Blocks = absl::flat_hash_map<std::string_view, std::uint64_t>;

Blocks BlocksOf(const recording::RecordedRun& run) {
  Blocks blocks;
  for (const recording::Tally& tally : run.tallies) {
    const recording::Dim3& grid = tally.shape.grid;
    const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
    const bool is_huge = grid.z != 0 && plane > kMostCycles / grid.z;
    std::uint64_t& most = blocks[tally.shape.kernel];
    most = std::max(most, is_huge ? kMostCycles : plane * grid.z);
  }
  return blocks;
}

// A recording may name as many devices as samplings. Of two with one number the first counts.
using Devices = absl::flat_hash_map<DeviceIndex, const recording::Device*>;

Devices DevicesOf(const recording::RecordedRun& run) {
  Devices devices;
  for (const recording::Device& device : run.devices) devices.try_emplace(device.device, &device);
  return devices;
}

// The prices of cost/demand.h were measured on this compute capability alone; of another device
// nothing is said that rests on them.
bool HasMeasuredPrices(const recording::Device& device) {
  return device.compute_major == 9 && device.compute_minor == 0;
}

void ReadDevice(const Devices& devices, DeviceIndex index, Reading& reading) {
  const auto found = devices.find(index);
  if (found == devices.end() || !HasMeasuredPrices(*found->second)) return;
  const recording::Device* device = found->second;
  constexpr double kHertz = 1000;          // in a kilohertz
  constexpr double kBytesPerCycle = 0.25;  // of a bit of bus: two transfers
  reading.has_prices = true;
  reading.limits = {device->multiprocessors, kHertz * device->clock_khz,
                    kHertz * device->memory_clock_khz * kBytesPerCycle * device->memory_bus_bits};
}

// Saturating, as sums of quantities are.
Cycles TimeOf(Samples samples, Cycles period) {
  const std::uint64_t most = kMostCycles / period.count();
  return Cycles(samples.count() > most ? kMostCycles : samples.count() * period.count());
}

// Returns the time that the row adds, which twins do not.
Cycles AddRow(const recording::SampleRow& row, const Reading& reading, cost::StallsByPc& stalls) {
  if (row.reason.value() >= reading.meanings.size()) return {};
  const auto& meaning = reading.meanings[row.reason.value()];
  if (!meaning) return {};
  const Cycles time = TimeOf(row.samples, reading.period);
  cost::StallTime& sum = stalls[row.pc][meaning->kind];
  if (meaning->exposed_only) {
    sum.exposed += time;
    return {};
  }
  sum.all += time;
  return time;
}

// A kernel of few blocks is sampled on as many multiprocessors only.
void AddTime(Cycles time, std::uint64_t blocks, const Reading& reading, SampledFunction& function) {
  const std::uint64_t all = reading.limits.multiprocessors;
  const auto busy = static_cast<std::uint32_t>(blocks == 0 ? all : std::min(all, blocks));
  function.capacity += cost::CapacityIn(time, reading.period, busy, reading.limits);
  function.limits_unknown = function.limits_unknown || !reading.limits.Known();
  function.prices_unknown = function.prices_unknown || !reading.has_prices;
}

// Samples and tallies of a whole run are of the same launches; tallies are written at its end.
void AddIncomplete(const recording::RecordedRun& run, Sampled& sampled) {
  for (const recording::Tally& tally : run.tallies) {
    if (tally.launches > tally.counted) sampled.sampled_in_part.insert(tally.shape.kernel);
  }
  for (const recording::PcSamples& batch : run.pc_samples) {
    for (const recording::FunctionSamples& function : batch.functions) {
      sampled.sampled_in_part.insert(function.function);
    }
  }
}

void AddBatch(const recording::PcSamples& batch, const Reading& reading, const Blocks& blocks,
              Sampled& sampled) {
  sampled.elsewhere += TimeOf(batch.elsewhere, reading.period);
  sampled.unplaced += TimeOf(batch.unplaced, reading.period);
  sampled.dropped += TimeOf(batch.dropped, reading.period);
  for (const recording::FunctionSamples& function : batch.functions) {
    SampledFunction& sum = sampled.functions[{function.cubin, function.function}];
    Cycles time;
    for (const recording::SampleRow& row : function.rows) {
      time += AddRow(row, reading, sum.stalls);
    }
    const auto found = blocks.find(function.function);
    AddTime(time, found == blocks.end() ? 0 : found->second, reading, sum);
  }
}

// Every process of it was sampled, to an end that it noted.
bool IsWhole(const recording::RecordedRun& run) {
  if (!run.is_merged()) return run.end.has_value();
  bool all_ended = true;
  run.ranks.ForEach([&](const recording::RankEntry& entry) {
    for (const recording::Ending& ending : entry.endings) all_ended = all_ended && ending.said_so;
  });
  return all_ended && run.header.sampled == run.header.merged;
}

}  // namespace

void AddSamples(const recording::RecordedRun& run, Sampled& sampled) {
  const Blocks blocks = BlocksOf(run);
  const Devices devices = DevicesOf(run);
  absl::flat_hash_map<PcSamplingId, Reading> readings;
  for (const recording::PcSampling& sampling : run.pc_samplings) {
    Reading& reading = readings[sampling.sampling];
    reading.period = sampling.period;
    ReadDevice(devices, sampling.device, reading);
    for (const std::string& reason : sampling.reasons) {
      reading.meanings.push_back(cost::MeaningOf(reason));
    }
  }
  bool any = false;
  for (const recording::PcSamples& batch : run.pc_samples) {
    const auto reading = readings.find(batch.sampling);
    if (reading == readings.end() || reading->second.period == Cycles(0)) continue;
    any = true;
    AddBatch(batch, reading->second, blocks, sampled);
  }
  sampled.any = sampled.any || any;
  bool is_partial = false;
  for (const recording::Loss& loss : run.losses) {
    is_partial = is_partial || loss.what == recording::loss::kPcSamplesLost;
    if (loss.what == recording::loss::kNoPcSampling && sampled.why_not.empty())
      sampled.why_not = loss.detail;
  }
  sampled.is_partial = sampled.is_partial || is_partial;
  if (!any || is_partial || !IsWhole(run)) AddIncomplete(run, sampled);
}

}  // namespace coalcheck::findings

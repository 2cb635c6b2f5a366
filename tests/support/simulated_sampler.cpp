// SPDX-License-Identifier: Apache-2.0
//
// The simulated sampler's buffer.
#include "tests/support/simulated_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalcheck::testing {

using agent::ContextHandle;
using agent::SampleBatch;
using agent::SampledPc;

void SimulatedSampler::Sample(ContextHandle context, const SampledPc& samples) {
  const std::lock_guard lock(mutex_);
  const auto found = sampled_.find(context);
  if (found == sampled_.end()) return;
  Sampled& sampled = found->second;
  Samples sum;
  for (const auto& [reason, count] : samples.stalls) sum += count;
  if (sampled.full || sampled.held + sum > most_) {
    sampled.full = true;
    return;
  }
  sampled.held += sum;
  came_in_ += sum;
  sampled.sums.total += sum;
  sampled.waiting.push_back(samples);
}

void SimulatedSampler::ExpectAllWritten(const recording::RecordedRun& run) {
  Samples written;
  for (const recording::PcSamples& batch : run.pc_samples) {
    for (const recording::FunctionSamples& function : batch.functions) {
      for (const recording::SampleRow& row : function.rows) written += row.samples;
    }
  }
  const std::lock_guard lock(mutex_);
  EXPECT_EQ(written, came_in_) << written.count() << " of " << came_in_.count() << " samples";
}

void SimulatedSampler::SampleElsewhere(ContextHandle context, Samples samples) {
  const std::lock_guard lock(mutex_);
  sampled_[context].sums.total += samples;
  sampled_[context].sums.elsewhere += samples;
}

void SimulatedSampler::LoseSight(ContextHandle context, Samples samples) {
  const std::lock_guard lock(mutex_);
  sampled_[context].sums.total += samples;
}

void SimulatedSampler::SetFaults(const Faults& faults) {
  const std::lock_guard lock(mutex_);
  faults_ = faults;
}

void SimulatedSampler::SetFreeMemory(std::optional<Bytes> free) {
  const std::lock_guard lock(mutex_);
  free_ = free;
}

void SimulatedSampler::SetMostSamples(Samples most) {
  const std::lock_guard lock(mutex_);
  most_ = most;
}

void SimulatedSampler::SetReadTime(std::chrono::microseconds time) {
  const std::lock_guard lock(mutex_);
  read_time_ = time;
}

bool SimulatedSampler::IsSampled(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  return sampled_.contains(context);
}

Bytes SimulatedSampler::last_buffer() {
  const std::lock_guard lock(mutex_);
  return last_buffer_;
}

std::uint64_t SimulatedSampler::reads() {
  const std::lock_guard lock(mutex_);
  return reads_;
}

std::optional<Bytes> SimulatedSampler::FreeMemory(ContextHandle) {
  const std::lock_guard lock(mutex_);
  return free_;
}

void SimulatedSampler::ExpectStill(ContextHandle context, const char* what) {
  if (device_.CodeChanges() > 0) ADD_FAILURE() << "the agent " << what << " while code changes";
  if (device_.CapturesWithGate(context)) ADD_FAILURE() << "the agent " << what << " in a capture";
}

Result<std::vector<std::string>> SimulatedSampler::Begin(ContextHandle context,
                                                         options::SamplePeriod, Bytes buffer) {
  const std::lock_guard lock(mutex_);
  ExpectStill(context, "began to sample");
  if (faults_.begin) return Error{*faults_.begin};
  if (sampled_.contains(context)) ADD_FAILURE() << "the agent began to sample twice";
  last_buffer_ = buffer;
  sampled_[context] = {};
  return std::vector<std::string>{"stalled_long_scoreboard", "stalled_lg_throttle"};
}

SampleBatch SimulatedSampler::Take(Sampled& sampled, std::size_t most) {
  SampleBatch batch = std::exchange(sampled.sums, {});
  const std::size_t count = std::min(most, sampled.waiting.size());
  const auto end = sampled.waiting.begin() + static_cast<std::ptrdiff_t>(count);
  batch.pcs.assign(sampled.waiting.begin(), end);
  sampled.waiting.erase(sampled.waiting.begin(), end);
  for (const SampledPc& pc : batch.pcs) {
    for (const auto& [reason, samples] : pc.stalls) batch.placed += samples;
  }
  sampled.held = sampled.held - batch.placed;
  batch.more = !sampled.waiting.empty();
  batch.buffer_full = sampled.full;
  return batch;
}

Result<SampleBatch> SimulatedSampler::Read(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  if (faults_.read) return Error{*faults_.read};
  if (!sampled_.contains(context)) return Error{"not sampled"};
  ++reads_;
  clock_.Rest(read_time_);
  return Take(sampled_[context], kPcsInOneRead);
}

Result<SampleBatch> SimulatedSampler::End(ContextHandle context) {
  const std::lock_guard lock(mutex_);
  ExpectStill(context, "ended sampling");
  if (!device_.IsIdle(context)) ADD_FAILURE() << "the agent ended sampling while a kernel runs";
  if (faults_.end) return Error{*faults_.end};
  if (!sampled_.contains(context)) return Error{"not sampled"};
  SampleBatch batch = Take(sampled_[context], sampled_[context].waiting.size());
  sampled_.erase(context);
  return batch;
}

}  // namespace coalcheck::testing

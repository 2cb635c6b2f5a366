// SPDX-License-Identifier: Apache-2.0
//
// Stretches of PC sampling, from their beginning to their last batch.
#include "injection/agent/sampling/stall_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "injection/agent/base/try_lock_for.h"
#include "injection/agent/process/say.h"

namespace coalcheck::agent {
namespace {

constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::seconds kFirstWrite{1};
constexpr std::chrono::seconds kMostBetweenWrites{64};

bool IsNothing(const recording::PcSamples& samples) {
  return samples.dropped == coalcheck::Samples(0) && samples.elsewhere == coalcheck::Samples(0) &&
         samples.unplaced == coalcheck::Samples(0) && samples.functions.empty();
}

}  // namespace

StallSampling::StallSampling(const options::PcSamplingOptions& options, Sampler& sampler,
                             Clock& clock, Session& session)
    : options_(options),
      sampler_(sampler),
      clock_(clock),
      session_(session),
      next_write_(clock.Now() + kFirstWrite),
      between_writes_(kFirstWrite) {}

void StallSampling::Begin(ContextHandle handle, ContextId context, DeviceIndex device) {
  if (!TryLockFor(mutex_, kPatience)) return;
  const MutexLock lock(mutex_, std::adopt_lock);
  if (stretches_.contains(handle)) return;
  const bool taken = std::ranges::any_of(
      stretches_, [device](const auto& entry) { return entry.second.device == device; });
  if (taken) return NoteUnsampled("a second context of a device is not sampled beside the first");
  Stretch stretch;
  stretch.context = context;
  stretch.device = device;
  if (Set(handle, stretch)) stretches_.emplace(handle, std::move(stretch));
}

Bytes StallSampling::BufferFor(ContextHandle handle) {
  const std::optional<Bytes> free = sampler_.FreeMemory(handle);
  return free ? std::min(options_.memory, Bytes(free->count() / kPartsOfFree)) : options_.memory;
}

// Sets sampling up on the device, as a stretch with a new number.
bool StallSampling::Set(ContextHandle handle, Stretch& stretch) {
  const Bytes buffer = BufferFor(handle);
  if (buffer < std::min(kSmallestBuffer, options_.memory)) {
    NoteUnsampled("the device is short of memory");
    return false;
  }
  Result<std::vector<std::string>> reasons = sampler_.Begin(handle, options_.period, buffer);
  if (!reasons.ok()) {
    NoteUnsampled(reasons.error());
    return false;
  }
  stretch.pending.sampling = PcSamplingId(++numbers_given_);
  session_.Write(recording::PcSampling{.sampling = stretch.pending.sampling,
                                       .device = stretch.device,
                                       .context = stretch.context,
                                       .period = options_.period.cycles(),
                                       .buffer = buffer,
                                       .reasons = std::move(reasons).value()});
  return true;
}

bool StallSampling::Samples(ContextHandle handle) {
  if (!TryLockFor(mutex_, kPatience)) return false;
  const MutexLock lock(mutex_, std::adopt_lock);
  return stretches_.contains(handle);
}

void StallSampling::Read(ContextHandle handle) {
  if (!TryLockFor(mutex_, kPatience)) return;
  const MutexLock lock(mutex_, std::adopt_lock);
  const auto found = stretches_.find(handle);
  if (found == stretches_.end() || found->second.over) return;
  Stretch& stretch = found->second;
  const Clock::TimePoint start = clock_.Now();
  for (bool more = true; more && clock_.Now() - start < kLongestRead;) {
    const Result<SampleBatch> batch = sampler_.Read(handle);
    if (!batch.ok()) return DiscardFailed(found, batch.error());
    Take(stretch, batch.value());
    more = batch.value().more && !stretch.over;
  }
  WriteWhenDue(stretch);
}

void StallSampling::Take(Stretch& stretch, const SampleBatch& batch) {
  stretch.pending.dropped += batch.dropped;
  stretch.pending.elsewhere += batch.elsewhere;
  stretch.awaited += batch.total;
  stretch.awaited = stretch.awaited - batch.placed - batch.dropped - batch.elsewhere;
  if (batch.buffer_full && !std::exchange(stretch.over, true)) {
    session_.WriteLoss(recording::loss::kPcSamplesLost,
                       "the buffer of samples was full: --cost-memory, --cost-period", 1);
  }
  for (const SampledPc& sampled : batch.pcs) {
    if (stretch.table.Add(sampled)) continue;
    Write(stretch);
    stretch.table.Add(sampled);
  }
}

// Batches are written ever more rarely, so that a long run's recording stays small.
void StallSampling::WriteWhenDue(Stretch& stretch) {
  const Clock::TimePoint now = clock_.Now();
  if (now < next_write_) return;
  between_writes_ = std::min<Clock::TimePoint::duration>(2 * between_writes_, kMostBetweenWrites);
  next_write_ = now + between_writes_;
  Write(stretch);
}

void StallSampling::Write(Stretch& stretch) {
  recording::PcSamples samples = std::exchange(stretch.pending, {});
  stretch.pending.sampling = samples.sampling;
  samples.functions = stretch.table.Take([this](CubinId id) { return session_.KnowsCubin(id); });
  if (!IsNothing(samples)) session_.WriteSamples(samples);
}

// Samples that have not come by now will never come.
void StallSampling::WriteLast(Stretch& stretch) {
  stretch.pending.unplaced = stretch.awaited;
  stretch.awaited = {};
  Write(stretch);
}

void StallSampling::End(ContextHandle handle) {
  if (!TryLockFor(mutex_, kPatience)) return;
  const MutexLock lock(mutex_, std::adopt_lock);
  const auto found = stretches_.find(handle);
  if (found == stretches_.end()) return;
  const Result<SampleBatch> last = sampler_.End(handle);
  if (!last.ok()) return DiscardFailed(found, last.error());
  Take(found->second, last.value());
  WriteLast(found->second);
  stretches_.erase(found);
}

void StallSampling::Discard(ContextHandle handle, std::string_view why) {
  if (!TryLockFor(mutex_, kPatience)) return;
  const MutexLock lock(mutex_, std::adopt_lock);
  const auto found = stretches_.find(handle);
  if (found == stretches_.end()) return;
  session_.WriteLoss(recording::loss::kPcSamplesLost, why, 1);
  Write(found->second);
  stretches_.erase(found);
}

// Sampling has failed here; what was read before is kept.
void StallSampling::DiscardFailed(Stretches::iterator at, std::string_view why) {
  Write(at->second);
  stretches_.erase(at);
  NoteUnsampled(why);
}

void StallSampling::NoteUnsampled(std::string_view why) {
  {
    const MutexLock lock(told_mutex_);
    if (!told_.emplace(why).second) return;
  }
  session_.WriteLoss(recording::loss::kNoPcSampling, why, 1);
  if (options_.mode == options::CostMode::kOn) Say(fmt::format("cost is not sampled: {}", why));
}

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// PC sampling beside the windows: begun once in a context, read while the program runs, written in
// batches. What goes wrong costs the samples and nothing else.
//
// The life of a stretch of sampling
//   1. Begin: one context of a device at a time, and only where the device has memory to spare.
//   2. Read, now and then, which keeps the device's buffer from filling up. Should it fill up, the
//      stretch is over: begun anew, it would not know the code that is loaded already.
//   3. End, before the context ends and while it is idle; or Discard, where it cannot be idle.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "injection/agent/sampling/sample_table.h"
#include "injection/agent/sampling/sampler.h"
#include "injection/agent/session/session.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/options/pc_sampling_options.h"

namespace coalcheck::agent {

// Any thread. A member waits for another thread's call for a moment at most and then does nothing.
// The caller keeps code from being loaded and unloaded meanwhile.
class StallSampling {
 public:
  static constexpr std::chrono::milliseconds kLongestRead{20};
  // Of the free memory, one part in so many may be the buffer.
  static constexpr std::uint64_t kPartsOfFree = 16;
  static constexpr Bytes kSmallestBuffer{std::uint64_t{4} << 20U};

  StallSampling(const options::PcSamplingOptions& options, Sampler& sampler, Clock& clock,
                Session& session);

  bool wanted() const { return options_.mode != options::CostMode::kOff; }

  void Begin(ContextHandle handle, ContextId context, DeviceIndex device);
  // Notes why something is not sampled, each reason once.
  void NoteUnsampled(std::string_view why);
  bool Samples(ContextHandle handle);
  void Read(ContextHandle handle);
  void End(ContextHandle handle);
  // The device is not asked any more; what was read is written.
  void Discard(ContextHandle handle, std::string_view why);

 private:
  struct Stretch {
    ContextId context;
    DeviceIndex device;
    recording::PcSamples pending;  // but for the functions
    coalcheck::Samples awaited;    // counted by the device, not yet seen anywhere
    SampleTable table;
    bool over = false;  // nothing more comes
  };
  using Stretches = std::map<ContextHandle, Stretch>;

  Bytes BufferFor(ContextHandle handle);
  bool Set(ContextHandle handle, Stretch& stretch) COALCHECK_REQUIRES(mutex_);
  void Take(Stretch& stretch, const SampleBatch& batch);
  void Write(Stretch& stretch);
  void WriteLast(Stretch& stretch);
  void WriteWhenDue(Stretch& stretch) COALCHECK_REQUIRES(mutex_);
  void DiscardFailed(Stretches::iterator at, std::string_view why) COALCHECK_REQUIRES(mutex_);

  const options::PcSamplingOptions options_;
  Sampler& sampler_;
  Clock& clock_;
  Session& session_;

  // Held across calls of the device: taken with a deadline.
  Mutex mutex_;
  Mutex told_mutex_;
  std::set<std::string, std::less<>> told_ COALCHECK_GUARDED_BY(told_mutex_);  // reasons
  Stretches stretches_ COALCHECK_GUARDED_BY(mutex_);
  std::uint64_t numbers_given_ COALCHECK_GUARDED_BY(mutex_) = 0;
  Clock::TimePoint next_write_ COALCHECK_GUARDED_BY(mutex_);
  Clock::TimePoint::duration between_writes_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent

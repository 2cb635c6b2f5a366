// SPDX-License-Identifier: Apache-2.0
//
// Kernel times by CUDA events. Nothing waits between launches, so a thousand of them run back to
// back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "samples/common/check.h"

namespace samples {

struct Timing {
  double median_ms = 0;  // of the launches timed one by one
  std::int64_t timed = 0;
  double total_ms = 0;  // first launch to last
  std::int64_t launches = 0;
};

class Event {
 public:
  Event() { Check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void Record() { Check(cudaEventRecord(event_)); }
  void Wait() { Check(cudaEventSynchronize(event_)); }
  double MillisecondsSince(const Event& start) const {
    float milliseconds = 0;
    Check(cudaEventElapsedTime(&milliseconds, start.event_, event_));
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Calls `launch` that many times; the first nine are timed one by one, all of them together.
template <typename Launch>
Timing Measure(std::int64_t launches, Launch launch) {
  constexpr std::int64_t kTimedOneByOne = 9;
  Timing timing;
  timing.launches = launches;
  timing.timed = std::min(launches, kTimedOneByOne);
  std::vector<Event> events(static_cast<std::size_t>(timing.timed) + 2);
  events.front().Record();
  for (std::int64_t i = 0; i < launches; ++i) {
    launch();
    CheckLaunch();
    if (i < timing.timed) events[static_cast<std::size_t>(i) + 1].Record();
  }
  events.back().Record();
  events.back().Wait();
  timing.total_ms = events.back().MillisecondsSince(events.front());
  std::vector<double> laps;
  for (std::size_t i = 1; i + 1 < events.size(); ++i) {
    laps.push_back(events[i].MillisecondsSince(events[i - 1]));
  }
  std::nth_element(laps.begin(), laps.begin() + static_cast<std::ptrdiff_t>(laps.size() / 2),
                   laps.end());
  timing.median_ms = laps[laps.size() / 2];
  return timing;
}

inline double GigabytesPerSecond(const Timing& timing, double bytes) {
  return bytes / timing.median_ms * 1e-6;
}

// `bytes`: those the algorithm has to read and write in one launch, whatever the hardware moved.
inline void PrintBandwidth(const char* kernel, const Timing& timing, double bytes) {
  std::printf("%-24s %9.4f ms %9.1f GB/s (median of %lld); %lld launches in %.2f ms\n", kernel,
              timing.median_ms, GigabytesPerSecond(timing, bytes),
              static_cast<long long>(timing.timed), static_cast<long long>(timing.launches),
              timing.total_ms);
}

}  // namespace samples

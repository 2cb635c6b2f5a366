// SPDX-License-Identifier: Apache-2.0
//
// Each stream is asked by itself, without the lock, which the driver's callbacks take too.
#include "injection/agent/windows/context_streams.h"

#include <algorithm>

namespace coalcheck::agent {
namespace {

constexpr std::chrono::microseconds kShortestRest{5};
constexpr std::chrono::microseconds kLongestRest{1000};

// The pause before the next question: a wait ends at most a tenth too late, and takes little of a
// processor.
std::chrono::microseconds RestAfter(Clock::TimePoint::duration waited) {
  const auto tenth = std::chrono::duration_cast<std::chrono::microseconds>(waited / 10);
  return std::clamp(tenth, kShortestRest, kLongestRest);
}

}  // namespace

void ContextStreams::Add(StreamHandle stream) {
  const MutexLock lock(mutex_);
  streams_.insert(stream);
}

void ContextStreams::Remove(StreamHandle stream) {
  const MutexLock lock(mutex_);
  streams_.erase(stream);
}

StreamState ContextStreams::State() {
  std::set<StreamHandle> streams;
  {
    const MutexLock lock(mutex_);
    streams = streams_;
  }
  for (const StreamHandle stream : streams) {
    if (captures_.any()) return StreamState::kBusy;  // one that could not wait for the gate
    const StreamState state = device_.Query(context_, stream);
    if (state == StreamState::kUnknown) Remove(stream);
    if (state == StreamState::kBusy || state == StreamState::kFailed) return state;
  }
  return StreamState::kIdle;
}

bool ContextStreams::WaitIdle(std::chrono::milliseconds deadline) {
  if (captures_.any()) return false;
  StreamState state = State();
  const Clock::TimePoint start = clock_.Now();
  for (Clock::TimePoint now = start;
       state == StreamState::kBusy && now - start < deadline && !captures_.any();
       now = clock_.Now()) {
    clock_.Rest(RestAfter(now - start));
    state = State();
  }
  return state == StreamState::kIdle;
}

}  // namespace coalcheck::agent

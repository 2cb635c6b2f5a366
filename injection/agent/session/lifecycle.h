// SPDX-License-Identifier: Apache-2.0
//
// Whether the agent still measures: it may stop for an error, release CUPTI, or end with its
// process.
//
//    measuring ──Stop──▶ stopped ──┬─ReleasedCupti──▶ released
//        │                         └─Ended──────────▶ ended (the recording is complete)
//        └──ReleasedCupti, Ended: the same without having stopped
//    Forked: ended at once, in a child that has no CUDA and no recording of its own
#pragma once

#include <atomic>
#include <string_view>

#include "injection/agent/session/session.h"

namespace coalcheck::agent {

// Any thread, without a lock. No state is ever left again but for a later one.
class Lifecycle {
 public:
  explicit Lifecycle(Session& session) : session_(session) {}

  // Measuring stops for good, with the reason on stderr and in the recording.
  void Stop(std::string_view reason);
  // Of the exception that is being handled.
  void StopForException() noexcept;
  // The reason was said, and there is no recording to write it to.
  void StopSilently() { stopped_ = true; }
  void ReleasedCupti() { released_ = true; }
  void Ended() { ended_ = stopped_ = true; }
  void Forked() { ended_ = stopped_ = forked_ = true; }

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  bool ended() const { return ended_; }
  // Nobody needs the gates any more.
  bool released() const { return released_; }
  // Nobody is left to leave the gates.
  bool forked() const { return forked_; }

 private:
  Session& session_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> released_{false};
  std::atomic<bool> forked_{false};
};

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// Resident collection: counting goes on before the first launch and stays on. Nothing is serialised
// and nothing has to be idle, but for the moments when the counts are taken; every launch pays the
// price of patched code.
#pragma once

#include <chrono>

#include "injection/agent/counting/windows.h"
#include "injection/agent/session/lifecycle.h"
#include "injection/agent/session/session.h"
#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::agent {

// Does nothing under another --collection. Any thread.
class ResidentCounting {
 public:
  ResidentCounting(const options::AgentOptions& options, Windows& windows, const Session& session,
                   const Lifecycle& lifecycle)
      : is_wanted_(options.collection == options::Collection::kResident),
        windows_(windows),
        session_(session),
        lifecycle_(lifecycle) {}

  bool is_wanted() const { return is_wanted_; }

  // Before each launch and instantiation: opens the context's window where none is open.
  void Begin(ContextWatch& watch) {
    if (!is_wanted_ || lifecycle_.stopped() || session_.Full() || watch.window().is_open()) return;
    windows_.OpenForMany(watch, recording::WindowKind::kResident);
  }
  // The program has just waited for the device: takes the counts, once a second.
  void FlushWhenDue(ContextWatch& watch) {
    if (is_wanted_ && watch.TimeSinceFlush() >= kBetweenFlushes) windows_.FlushResident(watch);
  }

 private:
  // Every taking of the counts writes a record of everything that ran since the one before.
  static constexpr std::chrono::seconds kBetweenFlushes{1};

  const bool is_wanted_;
  Windows& windows_;
  const Session& session_;
  const Lifecycle& lifecycle_;
};

}  // namespace coalcheck::agent

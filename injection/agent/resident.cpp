// SPDX-License-Identifier: Apache-2.0
//
// Resident collection: counting goes on before the first launch and stays on. Nothing is serialised
// and nothing has to be idle, but for the moments when the counts are taken; every launch pays the
// price of patched code.
#include "injection/agent/agent.h"

namespace coalcheck::agent {
namespace {

// Every taking of the counts writes a record of everything that ran since the one before.
constexpr std::chrono::seconds kBetweenFlushes{1};

}  // namespace

void Agent::BeginResident(ContextWatch& watch) {
  if (stopped() || session_.Full() || watch.OpenWindowId() != WindowId(0)) return;
  OpenForMany(watch, recording::WindowKind::kResident);
}

void Agent::FlushResidentWhenDue(ContextWatch& watch) {
  if (watch.TimeSinceFlush() >= kBetweenFlushes) FlushResident(watch);
}

void Agent::FlushResident(ContextWatch& watch) {
  if (session_.Full()) return TryClose(watch, std::chrono::milliseconds(0), GraphWait::kNoMore);
  ClosedWindow closed;
  const CloseResult result =
      watch.FlushResident(WindowId(++windows_), LaunchOrdinal(launches_.load() + 1), closed);
  if (result == CloseResult::kStillOpen) return;
  ++open_windows_;  // the next part is open already
  Finish(watch, result, closed);
}

}  // namespace coalcheck::agent

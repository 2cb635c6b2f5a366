// SPDX-License-Identifier: Apache-2.0
//
// When the agent samples: from a context's beginning on, read on the agent's own thread, ended
// before the context goes.
#include "injection/agent/agent.h"

namespace coalcheck::agent {
namespace {

// How long samples may keep launches waiting, and launches them.
constexpr std::chrono::milliseconds kGatePatience{5};

}  // namespace

// Before the context's first code is loaded, for samples of that would not be known for what they
// are; at the latest with the first launch.
void Agent::BeginSampling(ContextWatch& watch) {
  if (!stall_sampling_.wanted() || stopped() || session_.Full() || !watch.WantsSampling()) return;
  const bool tried = DoAlone(
      deadlines_.open, [&] { stall_sampling_.Begin(watch.handle(), watch.id(), watch.device()); });
  if (tried) {
    watch.SamplingWasTried();
  } else if (watch.SamplingMissedItsTurn()) {
    stall_sampling_.Refuse("other threads kept launching, loading code or capturing");
  }
}

void Agent::ReadSamples() {
  if (!stall_sampling_.wanted() || stopped()) return;
  for (ContextWatch* watch : Contexts()) {
    if (!stall_sampling_.Samples(watch->handle())) continue;
    if (session_.Full()) {
      EndSampling(*watch, "samples behind the end of a full recording");
      continue;
    }
    watch->DoAlone(kGatePatience, [&] { stall_sampling_.Read(watch->handle()); });
  }
}

// Ending waits in the driver for every kernel of the context.
void Agent::EndSampling(ContextWatch& watch, std::string_view why_lost) {
  if (!stall_sampling_.Samples(watch.handle())) return;
  watch.DoAlone(deadlines_.open, [&] { stall_sampling_.Read(watch.handle()); });
  bool ended = false;
  DoAlone(deadlines_.open, [&] {
    if (!watch.WaitIdle(deadlines_.open)) return;
    stall_sampling_.End(watch.handle());
    ended = true;
  });
  if (!ended) stall_sampling_.Forget(watch.handle(), why_lost);
}

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// Begin and End have all contexts to themselves; Read needs only its own.
#include "injection/agent/sampling/context_sampling.h"

namespace coalcheck::agent {
namespace {

// How long sampling may keep launches waiting, and launches keep sampling waiting.
constexpr std::chrono::milliseconds kGatePatience{5};

}  // namespace

void ContextSampling::Begin(ContextWatch& watch) {
  if (!wanted() || lifecycle_.stopped() || session_.Full() || !watch.sampling_turns().left()) {
    return;
  }
  const bool tried = gates_.DoAlone(
      deadlines_.open, [&] { stalls_.Begin(watch.handle(), watch.id(), watch.device()); });
  if (tried) {
    watch.sampling_turns().Tried();
  } else if (watch.sampling_turns().Missed()) {
    stalls_.NoteUnsampled("other threads kept launching, loading code or capturing");
  }
}

void ContextSampling::ReadAll() {
  if (!wanted() || lifecycle_.stopped()) return;
  for (ContextWatch* watch : contexts_.All()) {
    if (!stalls_.Samples(watch->handle())) continue;
    if (session_.Full()) {
      End(*watch, "samples behind the end of a full recording");
      continue;
    }
    watch->gate().DoAlone(kGatePatience, [&] { stalls_.Read(watch->handle()); });
  }
}

// Ending waits in the driver for every kernel of the context.
void ContextSampling::End(ContextWatch& watch, std::string_view why_lost) {
  if (!stalls_.Samples(watch.handle())) return;
  watch.gate().DoAlone(deadlines_.open, [&] { stalls_.Read(watch.handle()); });
  bool ended = false;
  gates_.DoAlone(deadlines_.open, [&] {
    if (!watch.streams().WaitIdle(deadlines_.open)) return;
    stalls_.End(watch.handle());
    ended = true;
  });
  if (!ended) stalls_.Discard(watch.handle(), why_lost);
}

}  // namespace coalcheck::agent

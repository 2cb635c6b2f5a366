// SPDX-License-Identifier: Apache-2.0
//
// When the agent samples: from a context's beginning on, read on the agent's own thread, ended
// before the context goes.
#pragma once

#include <chrono>
#include <string_view>

#include "injection/agent/base/deadlines.h"
#include "injection/agent/contexts/all_gates.h"
#include "injection/agent/contexts/contexts.h"
#include "injection/agent/sampling/sampler.h"
#include "injection/agent/sampling/stall_sampling.h"
#include "injection/agent/session/lifecycle.h"
#include "injection/agent/session/session.h"

namespace coalcheck::agent {

// Sees to it that nobody loads code, and no gate is passed, while CUPTI's sampling is asked
// something; StallSampling does the asking. Any thread but where a member says otherwise.
class ContextSampling {
 public:
  ContextSampling(const options::PcSamplingOptions& options, Sampler& sampler, Clock& clock,
                  Session& session, const Lifecycle& lifecycle, const Deadlines& deadlines,
                  Contexts& contexts, AllGates& gates)
      : session_(session),
        lifecycle_(lifecycle),
        deadlines_(deadlines),
        contexts_(contexts),
        gates_(gates),
        stalls_(options, sampler, clock, session) {}

  bool wanted() const { return stalls_.wanted(); }
  // Before the context's first code is loaded, for samples of that would not be known for what they
  // are; at the latest with the first launch. Does nothing where it has been tried.
  void Begin(ContextWatch& watch);
  // Now and then, from Tick's thread.
  void ReadAll();
  // Before the context, or the process, ends; what cannot be ended in time is lost for this reason.
  void End(ContextWatch& watch, std::string_view why_lost);
  // The same where the gate is held alone and nothing runs.
  void EndIdle(const ContextWatch& watch) { stalls_.End(watch.handle()); }

 private:
  Session& session_;
  const Lifecycle& lifecycle_;
  const Deadlines& deadlines_;
  Contexts& contexts_;
  AllGates& gates_;
  StallSampling stalls_;
};

}  // namespace coalcheck::agent

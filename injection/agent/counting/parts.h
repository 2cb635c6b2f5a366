// SPDX-License-Identifier: Apache-2.0
//
// The parts that whoever follows launches, graphs and contexts works with, put together once.
#pragma once

#include "injection/agent/base/deadlines.h"
#include "injection/agent/base/device.h"
#include "injection/agent/code/code_changes.h"
#include "injection/agent/contexts/all_gates.h"
#include "injection/agent/contexts/announced_changes.h"
#include "injection/agent/contexts/contexts.h"
#include "injection/agent/counting/first_windows.h"
#include "injection/agent/counting/kernel_vetting.h"
#include "injection/agent/counting/resident_counting.h"
#include "injection/agent/counting/run_counters.h"
#include "injection/agent/counting/window_policy.h"
#include "injection/agent/counting/windows.h"
#include "injection/agent/ranges/range_book.h"
#include "injection/agent/sampling/context_sampling.h"
#include "injection/agent/session/lifecycle.h"
#include "injection/agent/session/session.h"
#include "injection/agent/session/source_book.h"
#include "injection/agent/shapes/launch_book.h"
#include "injection/agent/shapes/uncounted_launches.h"
#include "injection/agent/windows/capture_set.h"

namespace coalcheck::agent {

// What the agent asks of the machine and the process; all of it outlives the agent.
struct Dependencies {
  Collector& collector;
  Sampler& sampler;
  Device& device;
  KernelCode& code;
  RangeBook& ranges;
  SourceBook& sources;
  Clock& clock;
};

// One per agent, made when it is. In the order in which one needs the other; each says by which
// threads it may be called.
struct Parts {
  Parts(const options::AgentOptions& chosen, recording::Header process, const Dependencies& from);

  // Nothing is of interest any more. After Stop, open windows still have to be closed.
  bool IsDeaf() const;
  // Of a deaf agent: the watch whose gate was passed, if there is any reason to: another thread may
  // still have a window open, or sample.
  ContextWatch* PassQuietly(ContextHandle context, FunctionHandle function = {});
  // Of the ranges that launches were made in since the last call.
  void WriteNewRanges();

  const options::AgentOptions options;
  const Deadlines deadlines;
  Collector& collector;
  Device& device;
  KernelCode& code;
  RangeBook& ranges;
  SourceBook& sources;
  Clock& clock;
  Session session;
  Lifecycle lifecycle;
  RunCounters counters;
  LaunchBook launch_book;
  UncountedLaunches uncounted;
  CaptureSet captures;
  CodeChanges code_changes;
  Contexts contexts;
  AnnouncedChanges announced_changes;
  AllGates gates;
  ContextSampling sampling;
  KernelVetting vetting;
  FirstWindows first_windows;
  WindowPolicy policy;
  Windows windows;
  ResidentCounting resident;
};

}  // namespace coalcheck::agent

// SPDX-License-Identifier: Apache-2.0
//
// The samples of many recordings, summed per instruction, before anybody knows whose fault they
// are.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "libcoalcheck/base/ids.h"
#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cost/charge.h"
#include "libcoalcheck/cost/gain.h"
#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::findings {

struct SampledFunction {
  cost::StallsByPc stalls;
  cost::Capacity capacity;      // in the time that was sampled
  bool limits_unknown = false;  // of some device it ran on: `capacity` means nothing
  bool prices_unknown = false;  // of some device it ran on: what a repair brings is not known
};

// All in cycles: a sample stands for the time until the next one.
struct Sampled {
  bool any = false;  // something was sampled, if only for a while
  std::map<std::pair<std::optional<CubinId>, std::string>, SampledFunction> functions;
  // Kernels that ran uncounted where nothing noted it: their samples are not those of all launches.
  std::set<std::string> sampled_in_part;
  Cycles elsewhere;         // in code that is not the program's, or that was patched to count
  Cycles unplaced;          // whose instruction is not known
  Cycles dropped;           // by hardware that could not keep up
  std::string why_not;      // the first reason that a recording gives for having no samples
  bool is_partial = false;  // samples were lost that the sums do not know of
};

// Adds what `run` says. A batch whose sampling was not recorded has no period and is passed over,
// as is a row whose reason has no name.
void AddSamples(const recording::RecordedRun& run, Sampled& sampled);

}  // namespace coalcheck::findings

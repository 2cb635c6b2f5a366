// SPDX-License-Identifier: Apache-2.0
//
// What the program's multiprocessors spent their time on, and what an access's part in it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cost/gain.h"
#include "libcoalcheck/cost/stall_kind.h"

namespace coalcheck::findings {

using cost::Gain;
using cost::kNoGainBelow;

// One kernel that was sampled.
struct KernelCost {
  std::string kernel;  // mangled
  cost::StallTime all;
  // Its traffic as a share of what its device's memory can move: 0 to 1, more if caches served a
  // part; empty if the device's limits are not known.
  std::optional<double> memory_share;
  // By the repair of all its wasteful accesses together; empty if it was not sampled, or there are
  // no measurements of its device.
  std::optional<Gain> gain;
};

// Every sampled cycle of the program's own code is in exactly one of the first four.
struct ProgramCost {
  cost::StallTime accesses;      // waits for the accesses of the report
  cost::StallTime uncounted;     // waits for accesses that no window counted
  cost::StallTime others;        // work, and waits for anything else
  cost::StallTime unattributed;  // it could not be found out for what
  Cycles elsewhere;              // in code that is not the program's, or that was patched to count
  Cycles unplaced;               // whose instruction is not known
  Cycles dropped;                // by hardware that could not keep up; in none of the sums
  bool is_partial = false;       // part of the run is missing
  std::vector<KernelCost> kernels;  // those with accesses in the report, by name

  cost::StallTime Sum() const {
    cost::StallTime sum = accesses;
    sum += uncounted;
    sum += others;
    sum += unattributed;
    return sum;
  }
};

// An access's part, in the time its function was sampled in and in the program's.
struct AccessCost {
  cost::StallTimes stalls;  // charged to it
  cost::StallTime kernel;   // all samples of its kernel
  // Of the program's samples, 0 to 1, if those that were dropped all waited for it.
  double most_of_program = 0;
  // Its part of its kernel's gain; the parts of all accesses add up to it. Empty if the kernel's
  // is.
  std::optional<Gain> gain;
};

// `part` of `whole`, 0 to 1; 0 where there is no whole.
inline double ShareOf(Cycles part, Cycles whole) { return Per(part, whole); }

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// What the program's multiprocessors spent their time on, and what an access's part in it is.
#pragma once

#include <string>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/cost/stall_kind.h"
#include "libcoalcheck/findings/counts.h"

namespace coalcheck::findings {

// Every sampled cycle of the program's own code is in exactly one of the first four.
struct ProgramCost {
  cost::StallTime accesses;      // waits for the accesses of the report
  cost::StallTime uncounted;     // waits for accesses that no window counted
  cost::StallTime others;        // work, and waits for anything else
  cost::StallTime unattributed;  // it could not be found out for what
  Cycles elsewhere;              // in code that is not the program's, or that was patched to count
  Cycles unplaced;               // whose instruction is not known
  bool is_partial = false;       // part of the run is missing

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
  Sectors kernel_sectors;   // all that its kernel touched
};

// `part` of `whole`, 0 to 1; 0 where there is no whole.
inline double ShareOf(Cycles part, Cycles whole) { return Per(part, whole); }

// How much of its kernel's time an access's repair could save, 0 to 1 each.
struct Gain {
  double least = 0;
  double most = 0;
};
// Below this no gain is to be expected.
inline constexpr double kNoGainBelow = 0.05;

// At most, every wait for the sectors that are wasted goes away, and no larger part of the kernel
// than of its sectors. At least, only those waits do that grow with each sector: full queues and
// stores that are not done, where nothing else was there to go on with. A load's latency may stay.
Gain GainOf(const AccessCost& cost, const Counts& counts);

}  // namespace coalcheck::findings

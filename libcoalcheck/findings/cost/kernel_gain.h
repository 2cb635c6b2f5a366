// SPDX-License-Identifier: Apache-2.0
//
// What the repair of a kernel's wasteful accesses could save, and each access's part in that.
#pragma once

#include <string>
#include <vector>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// What is known of a kernel before its gain is: sums over its functions' samples.
struct KernelTime {
  cost::StallTime all;
  Cycles work;              // of `all`: waits for nothing that has to do with memory
  cost::Capacity capacity;  // in that time; unknown where the device's limits are
  // Of the launches that were sampled; 0: not known.
  double warps = 0;
  double launches = 0;
  bool has_prices = true;  // what the device takes for a request was measured
};

// The sectors of an access that no other access uses. Sectors that its siblings use, or that L1
// likely keeps until they are used, are looked up again but not fetched again.
Sectors WastedAlone(const Access& access);

// Cycles of a multiprocessor that the repair of an access saves in L2, which all waste passes
// except the siblings': its cost if the waits were not sampled.
Cycles SavedInL2(const Access& access);

// An access, and its counts after the advised change; null without one: then the repair is that
// each request touches its ideal sectors.
struct Repaired {
  Access* access = nullptr;
  const AccessChange* change = nullptr;
};

// Sets the gains of those accesses of the report that belong to `kernel`; their stalls have to be
// charged.
KernelCost GiveGain(const std::string& kernel, const KernelTime& time,
                    const std::vector<Repaired>& accesses);

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// The bounds of a gain.
#include "libcoalcheck/findings/program_cost.h"

#include <algorithm>

namespace coalcheck::findings {

Gain GainOf(const AccessCost& cost, const Counts& counts) {
  using cost::StallKind;
  const Cycles whole = cost.kernel.all;
  const Cycles queued =
      cost.stalls[StallKind::kThrottle].exposed + cost.stalls[StallKind::kDrain].exposed;
  const double of_sectors = Per(counts.Wasted(), cost.kernel_sectors);
  Gain gain;
  gain.most = std::min(ShareOf(cost.stalls.Sum().all, whole) * counts.WastedShare(), of_sectors);
  gain.least = std::min(ShareOf(queued, whole) * counts.WastedShare(), gain.most);
  return gain;
}

}  // namespace coalcheck::findings

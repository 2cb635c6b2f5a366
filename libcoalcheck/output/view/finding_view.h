// SPDX-License-Identifier: Apache-2.0
//
// One finding, or all of one cause, in words: made once, and laid out by each form of the report.
#pragma once

#include <string>

#include "libcoalcheck/findings/places/causes.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/view/detail.h"

namespace coalcheck::output {

// All text is printable.
struct FindingView {
  const findings::Access* worst = nullptr;  // of the instantiations that the place sums
  std::string where;                        // "a.cu:2", without line information the kernel and pc
  std::string what;                         // "store"
  std::string wastes;                       // "store wastes 87.5 %"
  std::string worst_part;                   // "; the worst of its 3 loads wastes 20 %", or empty
  std::string claim;                        // "store wastes 87.5 % of the sectors it touches"
  std::string needed;                       // "32 sectors a request, 4 needed"
  std::string standing;                     // against the baseline; empty without one
  Details details;                          // in the order in which they are read
};
FindingView ViewOf(const findings::Report& report, const findings::Place& place);
// Of all members: "a.cu:21–25" where they lie in one file, "2 loads and 1 store", one gain, and one
// change, which is the first member's. `worst` is the first member's, too.
FindingView ViewOf(const findings::Report& report, const findings::Cause& cause);

}  // namespace coalcheck::output

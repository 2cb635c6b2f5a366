// SPDX-License-Identifier: Apache-2.0
//
// One finding, or all of one cause, in words.
#pragma once

#include <cstddef>
#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/causes.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/detail.h"
#include "libcoalcheck/output/style.h"

namespace coalcheck::output {

// The same in pieces, for forms that lay them out themselves. All text is printable.
struct FindingView {
  const findings::Access* worst = nullptr;  // of the instantiations that the place sums
  std::string where;                        // "a.cu:2", without line information the kernel and pc
  std::string what;                         // "store"
  std::string claim;                        // "store wastes 87.5 % of the sectors it touches"
  Details details;                          // in the order in which they are read
};
FindingView ViewOf(const findings::Report& report, const findings::Place& place);
// Of all members: "a.cu:21–25" where they lie in one file, "2 loads and 1 store", one gain, and one
// change, which is the first member's. `worst` is the first member's, too.
FindingView ViewOf(const findings::Report& report, const findings::Cause& cause);

inline constexpr std::size_t kFindingLines = 5;

// What and where, the source with the cause under it, what to do: as many of these lines.
std::string FindingText(const findings::Report& report, const findings::Cause& cause,
                        cubin::SourceText& sources, const Style& style,
                        std::size_t most_lines = kFindingLines);

}  // namespace coalcheck::output

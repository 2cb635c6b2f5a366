// SPDX-License-Identifier: Apache-2.0
//
// Which accesses are the user's own and are judged, and what the others, library code, come to.
#pragma once

#include <cstdint>
#include <vector>

#include "libcoalcheck/cubin/line_shown.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

// Sets `in_scope` of every access. An access is the user's when the line shown lies under the root
// of `sources` and outside installed packages. Returns the scope that was used: kAll, too, when
// `may_fall_back` and none is.
Scope MarkScope(const cubin::SourceScope& sources, Scope asked, bool may_fall_back,
                std::vector<Access>& accesses);

// What is not judged, in sum.
struct LibraryCode {
  std::uint64_t kernels = 0;
  std::uint64_t kernels_without_lines = 0;
  std::uint64_t accesses = 0;  // instantiations of one template are one
  Sectors sectors;
  Sectors ideal;

  Sectors Wasted() const { return sectors - ideal; }
};
LibraryCode LibraryCodeOf(const Report& report);

}  // namespace coalcheck::findings

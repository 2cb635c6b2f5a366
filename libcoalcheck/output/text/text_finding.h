// SPDX-License-Identifier: Apache-2.0
//
// The first lines of a finding in the text report.
#pragma once

#include <cstddef>
#include <string>

#include "libcoalcheck/cubin/source_text.h"
#include "libcoalcheck/findings/report.h"
#include "libcoalcheck/output/style.h"
#include "libcoalcheck/output/view/finding_view.h"

namespace coalcheck::output {

inline constexpr std::size_t kFindingLines = 5;

// What and where, the source with the cause under it, what to do: as many of these lines.
// `place`: the one whose source line is shown.
std::string FindingText(const findings::Report& report, const findings::Place& place,
                        const FindingView& view, cubin::SourceText& sources, const Style& style,
                        std::size_t most_lines = kFindingLines);

}  // namespace coalcheck::output

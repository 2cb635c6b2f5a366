// SPDX-License-Identifier: Apache-2.0
//
// Findings that are known, as a file that people review, whose numbers only get smaller.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/findings/known_finding.h"
#include "libcoalcheck/findings/report.h"

namespace coalcheck::comparison {

using findings::KnownFinding;

struct Baseline {
  std::vector<KnownFinding> findings;
  bool is_predicted = false;  // and not counted
};

// All findings of `report`, also known ones, in the order of the file. Suppressed findings are left
// out.
Baseline BaselineOf(const findings::Report& report);

// One finding a line, sorted by what the lines say, so that a change of one finding is a change of
// one line. docs/baseline.md has the columns.
std::string WriteBaseline(Baseline baseline);
// Whether the first line is a baseline's. Nothing is said of the others.
bool BeginsAsBaseline(std::string_view bytes);
// Error: the line that cannot be read, and why.
Result<Baseline> ReadBaseline(std::string_view bytes, std::string_view name);

// Excuses the findings of `report` that the baseline knows and that waste no more than it says,
// says of the others how they stand, and fills `report.baseline`.
void ApplyBaseline(const Baseline& baseline, std::string file, double tolerance,
                   findings::Report& report);

// The baseline after this check: with the present numbers of improved findings, without findings
// that are gone. New and worse findings are not added; findings that were not seen stay.
Baseline Tightened(const Baseline& baseline, const findings::BaselineCheck& check);

}  // namespace coalcheck::comparison

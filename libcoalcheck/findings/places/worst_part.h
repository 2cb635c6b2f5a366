// SPDX-License-Identifier: Apache-2.0
//
// The instruction of a line that wastes the largest share: `out[i] = a[i] + b[i] + c[i + 1]` has
// three loads, and what one of them wastes is small beside what all touch.
#pragma once

#include <cstddef>
#include <optional>

#include "libcoalcheck/findings/report.h"

namespace coalcheck::findings {

struct WorstPart {
  Counts counts;
  std::size_t of = 0;  // so many parts the line has
};

// The machine instructions that were made of one instruction of the PTX are one part; without PTX
// each is one. Parts with less than a twentieth of the line's requests are not looked at: what runs
// at the end of a loop. Empty where no part is worse than the line.
std::optional<WorstPart> WorstPartOf(const Access& access);

// Of the line or of its worst part, whichever is larger: from 0 to 1.
double WorstWastedShare(const Access& access);

}  // namespace coalcheck::findings

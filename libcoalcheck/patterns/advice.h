// SPDX-License-Identifier: Apache-2.0
//
// What to do about a pattern, and what the access would touch then. docs/patterns/ has more words.
#pragma once

#include <optional>
#include <string>

#include "libcoalcheck/base/units.h"
#include "libcoalcheck/patterns/pattern.h"
#include "libcoalcheck/patterns/shares.h"

namespace coalcheck::patterns {

// One sentence without its full stop; empty where there is nothing to do or nothing is known.
std::string Advice(const Classification& pattern);

// The sectors that everything in a share would touch after the fix. Both ends are possible: how
// much sorting an index brings, nobody knows before.
struct AfterFix {
  Sectors least;
  Sectors most;
  friend bool operator==(const AfterFix&, const AfterFix&) = default;
};
// Empty where there is no advice, or the advice is about something else than sectors.
std::optional<AfterFix> SectorsAfterFix(const Share& share);

}  // namespace coalcheck::patterns

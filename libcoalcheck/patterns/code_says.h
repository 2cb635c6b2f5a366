// SPDX-License-Identifier: Apache-2.0
//
// What the PTX settles that counts leave open.
#pragma once

#include <optional>
#include <vector>

#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

// The patterns left when the code's word on the address is added to `with_counts`, those that fit
// the counts. Empty when the code says nothing, or what it says cannot have these counts.
std::vector<Candidate> NarrowByCode(const Evidence& evidence,
                                    const std::vector<Candidate>& with_counts);

}  // namespace coalcheck::patterns

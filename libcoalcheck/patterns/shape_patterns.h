// SPDX-License-Identifier: Apache-2.0
//
// Names the pattern of an access from its lanes' addresses, as they were evaluated.
#pragma once

#include <optional>

#include "libcoalcheck/patterns/evidence.h"
#include "libcoalcheck/patterns/pattern.h"

namespace coalcheck::patterns {

// Of a pattern's requests less than this share of the waste, or of the requests where there is
// none, is not named: edges of the data, not a pattern.
inline constexpr double kNamedShare = 0.1;

// From evidence.address.shapes; empty when there are none.
std::optional<Classification> ClassifyShapes(const Evidence& evidence);

}  // namespace coalcheck::patterns

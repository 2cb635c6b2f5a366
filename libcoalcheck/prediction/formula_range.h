// SPDX-License-Identifier: Apache-2.0
//
// What a whole warp's request costs by the formula of its address alone, for accesses that lie
// behind more code than is followed.
#pragma once

#include <cstdint>
#include <optional>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/address/launch_values.h"
#include "libcoalcheck/prediction/request_range.h"

namespace coalcheck::prediction {

// `launch`: what is known of it; its `pointers` are multiples of 256. Empty where lanes differ by
// more than a step that stands in the code or in the arguments.
std::optional<RequestRange> RangeByFormula(const address::AccessFormulas& formulas,
                                           std::uint32_t instruction, std::uint32_t width,
                                           const address::LaunchValues& launch);

}  // namespace coalcheck::prediction

// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers shared out so that the parts add up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace coalcheck::cost {

// Parts of `whole` in proportion to `weights`, equal ones where all weights are 0; they add up to
// `whole` exactly. Empty where there is no weight.
std::vector<std::uint64_t> Split(std::uint64_t whole, std::span<const std::uint64_t> weights);

}  // namespace coalcheck::cost

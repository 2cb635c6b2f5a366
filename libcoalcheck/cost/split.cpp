// SPDX-License-Identifier: Apache-2.0
//
// Each part ends where the running sum of the weights says, so that no remainder is left.
#include "libcoalcheck/cost/split.h"

#include <algorithm>

namespace coalcheck::cost {

std::vector<std::uint64_t> Split(std::uint64_t whole, std::span<const std::uint64_t> weights) {
  std::vector<std::uint64_t> parts;
  parts.reserve(weights.size());
  const bool equal = std::ranges::all_of(weights, [](std::uint64_t weight) { return weight == 0; });
  const auto weight_of = [equal](std::uint64_t weight) {
    return equal ? 1.0L : static_cast<long double>(weight);
  };
  long double sum = 0;
  for (const std::uint64_t weight : weights) sum += weight_of(weight);
  long double so_far = 0;
  std::uint64_t given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    so_far += weight_of(weights[i]);
    const bool is_last = i + 1 == weights.size();
    const long double share = static_cast<long double>(whole) * (so_far / sum);
    const std::uint64_t up_to =
        is_last ? whole : std::clamp(static_cast<std::uint64_t>(share), given, whole);
    parts.push_back(up_to - given);
    given = up_to;
  }
  return parts;
}

}  // namespace coalcheck::cost

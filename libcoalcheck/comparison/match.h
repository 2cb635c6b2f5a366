// SPDX-License-Identifier: Apache-2.0
//
// Finds the same places in two runs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/ids.h"

namespace coalcheck::comparison {

// The keys by which two places are the same, in the order of their source.
struct MatchKey {
  Fingerprint fingerprint;
  Fingerprint anchor;
};

// For each of `before`, which of `after` it is: by fingerprint; then, where as many are left of an
// anchor on both sides, in order. No place is taken twice.
std::vector<std::optional<std::size_t>> Match(std::span<const MatchKey> before,
                                              std::span<const MatchKey> after);

}  // namespace coalcheck::comparison

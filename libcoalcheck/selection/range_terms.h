// SPDX-License-Identifier: Apache-2.0
//
// Reads the text of a range filter.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/selection/range_filter.h"

namespace coalcheck::selection {

inline constexpr std::size_t kLongestFilter = 1000;

struct DomainAndRest {
  std::optional<Glob> domain;  // none: the text names no domain
  std::string_view rest;       // behind the @
};

// Error: more than a name before the @.
Result<DomainAndRest> SplitDomain(std::string_view text);

// Of a text without a domain: conditions with commas between them. Errors say what is wrong, not
// in which text.
Result<std::vector<RangeTerm>> ParseRangeTerms(std::string_view text);

}  // namespace coalcheck::selection

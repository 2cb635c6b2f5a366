// SPDX-License-Identifier: Apache-2.0
//
// How push/pop ranges lie inside one another, as a pattern.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "libcoalcheck/selection/glob.h"

namespace coalcheck::selection {

struct RangeStep {
  enum class Kind { kName, kAnyNumber, kExactlyOne };
  Kind kind = Kind::kName;
  Glob name;  // kName
};

// "[A/*/B]": names from the outside to the inside, with wildcards for the ranges between them.
struct RangePath {
  std::vector<RangeStep> steps;
  bool is_outermost = false;  // the first step is the outermost open range
  bool is_innermost = false;  // the last step is the innermost one

  // `stack`: the names of one domain's open ranges, outermost first. Never slower than
  // stack × steps comparisons of names.
  bool Matches(std::span<const std::string_view> stack) const;
};

}  // namespace coalcheck::selection

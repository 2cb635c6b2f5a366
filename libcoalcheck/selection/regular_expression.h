// SPDX-License-Identifier: Apache-2.0
//
// A regular expression that is searched for in names.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::selection {

// How the text of an expression begins where names are accepted, too.
inline constexpr std::string_view kRegexPrefix = "regex:";

// About how many states a machine for `text` has, which cost memory and time: each character is
// one, and a{2,9} is nine. At most kHeaviest and one.
std::size_t WeightOf(std::string_view text);
inline constexpr std::size_t kHeaviest = 10000;

// An ECMAScript expression without back-references, which could take for ever.
class RegularExpression {
 public:
  // Error: cannot be read, is empty, is longer than 1000 characters or heavier than kHeaviest.
  static Result<RegularExpression> Parse(std::string_view text);

  // Whether any part of the name matches. Of longer names than kLongestName the start counts.
  bool IsIn(std::string_view name) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace coalcheck::selection

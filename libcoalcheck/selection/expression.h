// SPDX-License-Identifier: Apache-2.0
//
// A regular expression that is searched for in names.
#pragma once

#include <memory>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::selection {

// How the text of an expression begins where names are accepted, too.
inline constexpr std::string_view kRegexPrefix = "regex:";

// An ECMAScript expression without back-references, which could take for ever.
class Expression {
 public:
  // Error: cannot be read, is empty, or is longer than 1000 characters.
  static Result<Expression> Parse(std::string_view text);

  // Whether any part of the name matches. Of longer names than kLongestName the start counts.
  bool IsIn(std::string_view name) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace coalcheck::selection

// SPDX-License-Identifier: Apache-2.0
//
// A regular expression that is searched for in names.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::selection {

// The prefix of a regular expression where names are accepted too.
inline constexpr std::string_view kRegexPrefix = "regex:";

// The approximate number of states of an automaton for `text`, an ECMAScript expression, which cost
// memory and time: one for each character, nine for a{2,9}. At most kHeaviest + 1.
std::size_t WeightOf(std::string_view text);
inline constexpr std::size_t kHeaviest = 10000;

// The weight of the regular expression in a pattern; 0 where it holds none.
template <typename Pattern>
std::size_t WeightIn(const Pattern& pattern) {
  if constexpr (requires { pattern.expression(); }) {
    return pattern.expression() ? pattern.expression()->weight() : 0;
  }
  return 0;
}

// Whether the expression in a pattern looks ahead: it does so at each character of a name, and may
// read the rest of it each time.
template <typename Pattern>
bool LooksAheadIn(const Pattern& pattern) {
  if constexpr (requires { pattern.expression(); }) {
    return pattern.expression() && pattern.expression()->looks_ahead();
  }
  return false;
}

// An ECMAScript regular expression without back-references, whose time has no bound.
class RegularExpression {
 public:
  // Error: cannot be read, is empty, is longer than 1000 characters or heavier than kHeaviest.
  static Result<RegularExpression> Parse(std::string_view text);

  // Whether any part of the name matches. Of names longer than kLongestName only the start is
  // searched.
  bool IsIn(std::string_view name) const;

  std::size_t weight() const { return weight_; }
  bool looks_ahead() const { return looks_ahead_; }

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
  std::size_t weight_ = 0;
  bool looks_ahead_ = false;
};

}  // namespace coalcheck::selection

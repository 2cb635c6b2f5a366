// SPDX-License-Identifier: Apache-2.0
//
// Which NVTX ranges a user means: a launch is selected by the ranges that were open around it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/ranges.h"
#include "libcoalcheck/base/result.h"
#include "libcoalcheck/selection/glob.h"
#include "libcoalcheck/selection/range_path.h"
#include "libcoalcheck/selection/regular_expression.h"

namespace coalcheck::selection {

// One condition of a filter: a range of that name is open, or push/pop ranges that lie so.
struct RangeTerm {
  bool is_push_pop = false;  // else a path of one name, for either kind of range
  RangePath path;
};

//   NAME           a range of that name is open, push/pop or start/end
//   A,B            both are open
//   A/             push/pop range A is open, anywhere in the stack
//   A/B            push/pop range B directly inside A
//   A/*/B, A/+/B   any number of ranges between them, exactly one
//   [A, B]         A is the outermost push/pop range, B the innermost one: [A/*/B]
//   DOMAIN@…       only ranges of that domain; @… only those of NVTX's default domain
//   regex:EXPR     the expression is in the name of an open range; DOMAIN@regex:EXPR, too
//
// Each domain has a stack of its own; without DOMAIN@ one of them has to match. Names are globs.
// A backslash takes / , @ [ ] * + ? \ as they are. * alone is any range.
class RangeFilter {
 public:
  // Error: a sentence that says what cannot be read and what is accepted.
  static Result<RangeFilter> Parse(std::string_view text);

  // `open`: the push/pop ranges of the launching thread, outermost first, all domains mixed, and
  // the start/end ranges of its process.
  bool Matches(std::span<const OpenRange> open) const;
  // Whether a range of that name, in some domain, can make a difference to what matches.
  bool Mentions(std::string_view name) const;
  // Whether it certainly matches everything that `other` matches. False: not known.
  bool Covers(const RangeFilter& other) const;
  const std::string& text() const { return text_; }
  const std::optional<RegularExpression>& expression() const { return expression_; }

 private:
  bool IsInDomain(const OpenRange& range) const;

  std::string text_;
  std::optional<Glob> domain_;  // none: any
  std::optional<RegularExpression> expression_;
  std::vector<RangeTerm> terms_;  // all must hold; empty with an expression
};

// Whether a launch made in `open` is wanted: some `include` matches, or there is none, and no
// `exclude` does.
bool RangesSelected(std::span<const RangeFilter> include, std::span<const RangeFilter> exclude,
                    std::span<const OpenRange> open);

}  // namespace coalcheck::selection

// SPDX-License-Identifier: Apache-2.0
//
// Which kernels a user means by a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/selection/glob.h"
#include "libcoalcheck/selection/regular_expression.h"

namespace coalcheck::selection {

// A name with or without its parameters and template arguments ("transpose", "cub::DeviceScan*"),
// where * ? [] stand for what they do in file names, or "regex:" and an ECMAScript expression that
// is searched for in the readable name. A name also matches the innermost namespace's part of a
// qualified one: "transpose" is "app::transpose<float>(float*)", too. A name without wildcards may
// also be a namespace, from the outermost on: "at::native", "cub" and "thrust::" are all kernels
// inside it.
class KernelPattern {
 public:
  // Error: an empty pattern, and what Glob or RegularExpression cannot read.
  static Result<KernelPattern> Parse(std::string_view text);

  // `readable`: as Demangle gives it. Of longer names than 4096 characters the start counts.
  bool Matches(std::string_view readable) const;
  // Whether it certainly matches everything that `other` matches. False: not known.
  bool Covers(const KernelPattern& other) const;
  const std::string& text() const { return text_; }
  const std::optional<RegularExpression>& expression() const { return expression_; }

 private:
  std::string text_;
  std::optional<RegularExpression> expression_;
  std::vector<Glob>
      globs_;  // without a regular expression: the name, and the names inside it as a namespace
};

// "app::transpose" of "void app::transpose<float>(float*)".
std::string QualifiedName(std::string_view readable);

}  // namespace coalcheck::selection

// SPDX-License-Identifier: Apache-2.0
//
// Which kernels a user means by a name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::selection {

// A name with or without its parameters and template arguments ("transpose", "cub::DeviceScan*"),
// where * ? [] stand for what they do in file names, or "regex:" and an ECMAScript expression that
// is searched for in the readable name. A name also matches the innermost namespace's part of a
// qualified one: "transpose" is "app::transpose<float>(float*)", too.
class KernelPattern {
 public:
  // Error: an empty pattern, a regular expression that cannot be read or is longer than 1000
  // characters.
  static Result<KernelPattern> Parse(std::string_view text);

  // `readable`: as Demangle gives it. Of longer names than 4096 characters the start counts.
  bool Matches(std::string_view readable) const;
  const std::string& text() const { return text_; }

 private:
  struct Expression;
  std::string text_;
  std::shared_ptr<const Expression> expression_;  // null: text_ is a glob
};

// "app::transpose" of "void app::transpose<float>(float*)".
std::string QualifiedName(std::string_view readable);

}  // namespace coalcheck::selection

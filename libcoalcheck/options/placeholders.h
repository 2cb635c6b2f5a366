// SPDX-License-Identifier: Apache-2.0
//
// What %p, %h and %q{VAR} in the name of a folder stand for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace coalcheck::options {

struct Placeholders {
  std::uint64_t pid = 0;
  std::string host;
  // The value of an environment variable, empty when it is not set.
  std::function<std::string(const std::string& name)> variable;
};

// Replaces %p, %h, %q{VAR}, and %% by %. What is none of these stays as it is.
std::string ExpandPlaceholders(std::string_view text, const Placeholders& placeholders);

}  // namespace coalcheck::options

// SPDX-License-Identifier: Apache-2.0
//
// What %p, %r, %h and %q{VAR} in the name of a folder stand for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace coalcheck::options {

struct Placeholders {
  std::uint64_t pid = 0;
  std::string host;
  std::optional<std::uint32_t> rank;  // in a job of many processes; empty: it has none
  // The value of an environment variable, empty when it is not set.
  std::function<std::string(const std::string& name)> variable;
};

// Replaces %p, %r (the process id where there is no rank), %h, %q{VAR}, and %% by %. Everything
// else is unchanged.
std::string ExpandPlaceholders(std::string_view text, const Placeholders& placeholders);

}  // namespace coalcheck::options

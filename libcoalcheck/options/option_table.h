// SPDX-License-Identifier: Apache-2.0
//
// The one table of options: the agent's parser, the command's --help and the documentation are made
// from it, so that they cannot disagree.
#pragma once

#include <span>
#include <string_view>

namespace coalcheck::options {

// Who acts on an option: the agent inside the program, the report made afterwards, or the launcher.
enum class Scope { kAgent, kReport, kLauncher };

struct OptionSpec {
  std::string_view name;           // without dashes
  std::string_view value;          // placeholder of its value; empty for a flag
  std::string_view default_value;  // as shown to people; empty when there is none
  std::string_view help;
  Scope scope;
};

std::span<const OptionSpec> OptionTable();
// Null when no option has that name.
const OptionSpec* FindOption(std::string_view name);

// For an option of another tool that coalcheck does not have: what does its work here; else empty.
// `name`: without dashes.
std::string_view InsteadOf(std::string_view name);

}  // namespace coalcheck::options

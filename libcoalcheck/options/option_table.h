// SPDX-License-Identifier: Apache-2.0
//
// The one table of options: the agent's parser, the command's --help and the documentation are made
// from it, so that they cannot disagree.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::options {

// Who acts on an option: the agent inside the program, the report made afterwards, or the launcher.
enum class Scope { kAgent, kReport, kLauncher };

struct AgentOptions;

struct OptionSpec {
  std::string_view name;           // without dashes
  std::string_view value;          // placeholder of its value; empty for a flag
  std::string_view default_value;  // as shown to people; empty when there is none
  std::string_view help;
  Scope scope;
  // Of the agent's: reads `text`, the value of option `name`. Error: what is accepted.
  std::optional<Error> (*set)(std::string_view name, std::string_view text,
                              AgentOptions& options) = nullptr;
};

std::span<const OptionSpec> OptionTable();
// Null when no option has that name.
const OptionSpec* FindOption(std::string_view name);

// The default of an option that has one.
std::string DefaultOf(std::string_view name);
// The same of an option that takes a number, in the option's unit.
double DefaultNumberOf(std::string_view name);

// For an option of another tool that coalcheck does not have: what does its work here; else empty.
// `name`: without dashes.
std::string_view InsteadOf(std::string_view name);

}  // namespace coalcheck::options

// SPDX-License-Identifier: Apache-2.0
//
// How the values of the agent's options are read: by the type of the field that they are for.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::options {

using Failure = std::optional<Error>;

// Reads the value `text` of option `name`. Error: what is accepted.
Failure ReadValue(std::string_view name, std::string_view text, std::chrono::milliseconds& target);
Failure ReadValue(std::string_view name, std::string_view text, Metrics& target);
Failure ReadValue(std::string_view name, std::string_view text, WaitingKernels& target);
Failure ReadValue(std::string_view name, std::string_view text, Collection& target);
Failure ReadValue(std::string_view name, std::string_view text, Release& target);
Failure ReadValue(std::string_view name, std::string_view text, CostMode& target);
Failure ReadValue(std::string_view name, std::string_view text, bool& target);
Failure ReadValue(std::string_view name, std::string_view text, Bytes& target);
Failure ReadValue(std::string_view name, std::string_view text, std::string& target);
Failure ReadValue(std::string_view name, std::string_view text, selection::Sampling& target);
Failure ReadValue(std::string_view name, std::string_view text, selection::BudgetShare& target);
Failure ReadValue(std::string_view name, std::string_view text, SamplePeriod& target);
Failure ReadValue(std::string_view name, std::string_view text, selection::LaunchNumber& target);
Failure ReadValue(std::string_view name, std::string_view text,
                  std::optional<selection::LaunchNumber>& target);
template <typename Filter>
Failure ReadValue(std::string_view name, std::string_view text, std::vector<Filter>& target) {
  Result<Filter> parsed = Filter::Parse(text);
  if (!parsed.ok()) return Error{fmt::format("--{}: {}", name, parsed.error())};
  target.push_back(std::move(parsed).value());
  return std::nullopt;
}

// Into the member that the pointers lead to, one after the other.
template <auto... kMembers>
Failure Set(std::string_view name, std::string_view text, AgentOptions& options) {
  return ReadValue(name, text, (options.*....*kMembers));
}

}  // namespace coalcheck::options

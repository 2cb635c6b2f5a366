// SPDX-License-Identifier: Apache-2.0
//
// Whether this is a step of a GitHub workflow, which gets annotations and a summary without asking.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace coalcheck::cli {

struct GithubActions {
  std::string step_summary;  // the file to append Markdown to; empty: none
};

inline std::optional<GithubActions> FindGithubActions() {
  const char* actions = std::getenv("GITHUB_ACTIONS");
  if (actions == nullptr || std::string_view(actions) != "true") return std::nullopt;
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  return GithubActions{summary == nullptr ? "" : summary};
}

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// coalcheck.toml: a project's rules. docs/policy.md has its keys.
#pragma once

#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"
#include "libcoalcheck/policy/rules.h"

namespace coalcheck::policy {

inline constexpr std::string_view kProjectFileName = "coalcheck.toml";

struct ProjectFile {
  Rules rules;           // without command line and date
  std::string baseline;  // as written: relative to the file's folder; empty: none
};

// `name`: the file's name in messages and origins. Error: the line, and what is wrong there.
Result<ProjectFile> ReadProjectFile(std::string_view bytes, const std::string& name);

}  // namespace coalcheck::policy

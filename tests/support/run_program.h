// SPDX-License-Identifier: Apache-2.0
//
// Runs a program and waits for it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace coalcheck::support {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// Runs `words` (the program first) with `environment` added to this process's own.
ProgramResult RunProgram(const std::vector<std::string>& words,
                         const std::vector<std::pair<std::string, std::string>>& environment = {});

}  // namespace coalcheck::support

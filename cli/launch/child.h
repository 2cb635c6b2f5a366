// SPDX-License-Identifier: Apache-2.0
//
// Starts the program as a shell would.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "cli/launch/environment.h"
#include "cli/launch/signals.h"

namespace coalcheck::cli {

struct Started {
  pid_t pid = -1;
  int error = 0;  // an errno value: why there is no process
};

// Runs `words` (the program is looked for along PATH) with the same streams, terminal, process
// group, folder and signal settings as this process was started with, and `variables` set.
Started StartProgram(const std::vector<std::string>& words,
                     const std::vector<Injection::Variable>& variables, const HeldSignals& signals);

// Whether a shell would find something to execute under `word`: a file with a slash in its name,
// or along PATH.
bool IsProgram(const std::string& word);
// Its path; empty when there is none.
std::string FindProgram(const std::string& word);

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// Runs a program with a deadline and keeps what it wrote.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace coalcheck::testing {

struct ProcessResult {
  int exit_code = -1;      // -1: ended by a signal
  int signal = 0;          // that signal
  bool timed_out = false;  // it was killed because it did not end
  std::string out;
  std::string err;
};

// Runs `words` with `environment` added to this process's own (an empty value removes the
// variable). The program and its children are killed after `deadline`.
ProcessResult RunProcess(const std::vector<std::string>& words,
                         const std::map<std::string, std::string>& environment,
                         std::chrono::seconds deadline = std::chrono::seconds(30));

// The lines of `text`, without their ends.
std::vector<std::string> Lines(const std::string& text);

}  // namespace coalcheck::testing

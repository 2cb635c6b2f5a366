// SPDX-License-Identifier: Apache-2.0
//
// Runs a program that may hang or crash, with a deadline. NVIDIA's libraries are loaded in these
// child processes only.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coalcheck::cli::doctor {

struct ChildResult {
  std::string not_started;  // why; empty when it was started
  bool timed_out = false;   // it was killed, with its process group
  int exit_code = -1;       // -1: ended by a signal, or not known
  int signal = 0;
  std::string out;  // the first MiB of each
  std::string err;
};

// Runs `words` with this process's environment, in which `changes` are set, or, without a value,
// unset. Standard input is empty. Returns soon after `deadline` at the latest.
ChildResult RunChild(const std::vector<std::string>& words,
                     const std::map<std::string, std::optional<std::string>>& changes,
                     std::chrono::milliseconds deadline);

}  // namespace coalcheck::cli::doctor

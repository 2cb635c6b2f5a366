// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck run`: starts a program with the agent in it, waits, and reports once over everything
// that it and its children recorded.
#pragma once

#include <span>
#include <string>

namespace coalcheck::cli {

// A program that could not be started gets the exit codes that a shell gives it.
enum LaunchExitCode : int {
  kCannotExecute = 126,
  kNoSuchProgram = 127,
};

// `words` follow "run". Ends as the program does when the program failed, by the same signal if it
// was one; else returns the exit code of the verdict.
int RunCommand(std::span<const std::string> words);

}  // namespace coalcheck::cli

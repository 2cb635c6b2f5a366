// SPDX-License-Identifier: Apache-2.0
//
// The command line's parts: each command adds itself to the application and says what it returns.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace coalcheck::cli {

// Exit codes, as documented in docs/exit-codes.md.
enum ExitCode : int {
  kClean = 0,
  kFindings = 1,
  kUsage = 2,
  kNothingChecked = 3,
  kCouldNotCollect = 4,
  kInternalError = 5,
};

// Set by a command's callback; main returns it.
using SetExitCode = std::function<void(int)>;

void AddBaselineCommand(CLI::App& app, SetExitCode set_exit_code);
void AddCompletionCommand(CLI::App& app, SetExitCode set_exit_code);
void AddDiffCommand(CLI::App& app, SetExitCode set_exit_code);
void AddDoctorCommand(CLI::App& app, SetExitCode set_exit_code);
void AddInspectCommand(CLI::App& app, SetExitCode set_exit_code);
void AddManualCommand(CLI::App& app, SetExitCode set_exit_code);
void AddReportCommand(CLI::App& app, SetExitCode set_exit_code);
void AddVerdictCommand(CLI::App& app, SetExitCode set_exit_code);
void AddOptionsCommand(CLI::App& app, SetExitCode set_exit_code);
void AddPatternsCommand(CLI::App& app, SetExitCode set_exit_code);

}  // namespace coalcheck::cli

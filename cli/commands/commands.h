// SPDX-License-Identifier: Apache-2.0
//
// The table of commands. Each has a file here and adds itself to the application.
#pragma once

#include <functional>

#include "cli/base/exit_code.h"

namespace coalcheck::cli {

class Command;

// Set by a command's callback; main returns it.
using SetExitCode = std::function<void(int)>;

using AddCommand = void (*)(Command& coalcheck, SetExitCode set_exit_code);

void AddRunCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddReportCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddBaselineCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddDiffCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddMergeCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddVerdictCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddPredictCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddInspectCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddOptionsCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddPatternsCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddDoctorCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddManualCommand(Command& coalcheck, SetExitCode set_exit_code);
void AddCompletionCommand(Command& coalcheck, SetExitCode set_exit_code);

// In the order of --help.
inline constexpr AddCommand kCommands[] = {
    AddRunCommand,       AddReportCommand,   AddBaselineCommand, AddDiffCommand,
    AddMergeCommand,     AddVerdictCommand,  AddPredictCommand,  AddInspectCommand,
    AddOptionsCommand,   AddPatternsCommand, AddDoctorCommand,   AddManualCommand,
    AddCompletionCommand};

}  // namespace coalcheck::cli

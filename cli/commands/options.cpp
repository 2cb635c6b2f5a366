// SPDX-License-Identifier: Apache-2.0
//
// Prints the one table of options, as the documentation shows it.
#include <fmt/format.h>

#include <iostream>

#include "cli/commands/commands.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/option_help.h"
#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {
namespace {

void PrintOptions(options::Scope scope, const char* title) {
  std::cout << title << '\n';
  for (const options::OptionSpec& spec : options::OptionTable()) {
    if (spec.scope != scope) continue;
    std::cout << fmt::format("  --{}{}{}\n      {}\n", spec.name, spec.value.empty() ? "" : " ",
                             spec.value, HelpOf(spec));
  }
}

}  // namespace

void AddOptionsCommand(Command& coalcheck, SetExitCode set_exit_code) {
  Command command =
      coalcheck.AddCommand("options", "List the options that COALCHECK_OPTIONS takes");
  command.Footer("docs/options.md explains them.");
  command.OnParsed([set_exit_code = std::move(set_exit_code)] {
    PrintOptions(options::Scope::kAgent,
                 "While the program runs (COALCHECK_OPTIONS, and coalcheck run):");
    PrintOptions(options::Scope::kReport,
                 "\nFor the report (COALCHECK_OPTIONS, coalcheck run and coalcheck report):");
    PrintOptions(options::Scope::kLauncher, "\nFor coalcheck run:");
    set_exit_code(kClean);
  });
}

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// coalcheck: reads the command line, runs one command, returns its exit code.
#include <CLI/CLI.hpp>

#include "cli/commands.h"

int main(int argc, char** argv) {
  CLI::App app("Names the source lines of a CUDA program that waste global-memory sectors.",
               "coalcheck");
  app.set_version_flag("--version", "coalcheck " COALCHECK_VERSION);
  app.require_subcommand(1);
  int exit_code = coalcheck::cli::kClean;
  const auto set_exit_code = [&exit_code](int code) { exit_code = code; };
  coalcheck::cli::AddInspectCommand(app, set_exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int shown = app.exit(error);
    return shown == 0 ? coalcheck::cli::kClean : coalcheck::cli::kUsage;
  }
  return exit_code;
}

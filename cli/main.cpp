// SPDX-License-Identifier: Apache-2.0
//
// coalcheck: reads the command line, runs one command, returns its exit code.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "cli/commands.h"
#include "cli/suggestion.h"

namespace {

namespace cli = coalcheck::cli;

constexpr const char* kFooter =
    "To record a program, let CUDA load the library beside this command:\n"
    "  CUDA_INJECTION64_PATH=/path/to/libcoalcheck.so ./app\n"
    "prints the report when the program ends. To keep the recording and read it later:\n"
    "  COALCHECK_OPTIONS='--recording out.rec' CUDA_INJECTION64_PATH=… ./app\n"
    "  coalcheck report out.rec\n"
    "coalcheck options lists what COALCHECK_OPTIONS takes.\n\n"
    "coalcheck COMMAND --help describes the options of a command.";

void AddCommands(CLI::App& app, const cli::SetExitCode& set_exit_code) {
  app.set_version_flag("--version", "coalcheck " COALCHECK_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  cli::AddReportCommand(app, set_exit_code);
  cli::AddInspectCommand(app, set_exit_code);
  cli::AddOptionsCommand(app, set_exit_code);
  cli::AddDoctorCommand(app, set_exit_code);
}

// A word nobody knows says more about the mistake than what CLI11 stumbled over.
int Complain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  const std::string unknown = cli::DescribeUnknownWord(app);
  std::cerr << "coalcheck: " << (unknown.empty() ? error.what() : unknown) << '\n'
            << "coalcheck --help lists what there is\n";
  return cli::kUsage;
}

int Run(int argc, char** argv) {
  CLI::App app("Names the source lines of a CUDA program that waste global-memory sectors.",
               "coalcheck");
  int exit_code = cli::kClean;
  AddCommands(app, [&exit_code](int code) { exit_code = code; });
  if (argc < 2) {
    std::cerr << app.help();
    return cli::kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Complain(app, error);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "coalcheck: internal error: " << error.what() << '\n';
    return cli::kInternalError;
  }
}

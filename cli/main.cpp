// SPDX-License-Identifier: Apache-2.0
//
// coalcheck: reads the command line, runs one command, returns its exit code.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/foreign_file.h"
#include "cli/base/say.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/launch/child.h"
#include "cli/launch/words.h"
#include "cli/run.h"
#include "cli/suggestion.h"

namespace {

namespace cli = coalcheck::cli;

constexpr const char* kFooter =
    "coalcheck [OPTIONS] APP [ARGS…] is short for coalcheck run. Where no launcher fits, let CUDA\n"
    "load the library itself:\n"
    "  CUDA_INJECTION64_PATH=/path/to/libcoalcheck.so ./app\n"
    "prints the report when the program ends. To keep the recording and read it later:\n"
    "  coalcheck --recording out.rec ./app\n"
    "  coalcheck report out.rec\n"
    "coalcheck options lists all options; for a program that is run, COALCHECK_OPTIONS takes them\n"
    "too.\n\n"
    "coalcheck COMMAND --help describes the options of a command.";

// CLI11 knows nothing of the program that may stand in a command's place.
class Formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_parent() != nullptr) return CLI::Formatter::make_usage(app, std::move(name));
    return "Usage: coalcheck [run] [OPTIONS] [--] APP [ARGS…]\n"
           "       coalcheck "
           "report|verdict|diff|merge|baseline|predict|inspect|options|patterns|doctor|manual|"
           "completion [OPTIONS] …\n";
  }
};

void AddCommands(CLI::App& app, const cli::SetExitCode& set_exit_code) {
  app.set_version_flag("--version", "coalcheck " COALCHECK_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<Formatter>());
  app.add_subcommand("run", "Run a program and say which of its source lines waste sectors");
  cli::Command coalcheck(app);
  cli::AddReportCommand(coalcheck, set_exit_code);
  cli::AddBaselineCommand(coalcheck, set_exit_code);
  cli::AddDiffCommand(coalcheck, set_exit_code);
  cli::AddMergeCommand(coalcheck, set_exit_code);
  cli::AddVerdictCommand(coalcheck, set_exit_code);
  cli::AddPredictCommand(coalcheck, set_exit_code);
  cli::AddInspectCommand(coalcheck, set_exit_code);
  cli::AddOptionsCommand(coalcheck, set_exit_code);
  cli::AddPatternsCommand(coalcheck, set_exit_code);
  cli::AddDoctorCommand(coalcheck, set_exit_code);
  cli::AddManualCommand(coalcheck, set_exit_code);
  cli::AddCompletionCommand(coalcheck, set_exit_code);
  app.footer(kFooter);  // last, as commands take over what their parent has
}

// How to ask for the help of the command that was being read.
std::string HelpName(const CLI::App& app) {
  const std::string words = cli::CommandWords(app);
  return words.empty() ? "coalcheck" : "coalcheck " + words;
}

// A word nobody knows says more about the mistake than what CLI11 stumbled over.
int Complain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  std::string what = cli::DescribeUnknownWord(app);
  if (what.empty()) what = cli::DescribeMissingWord(app, error);
  if (what.empty()) what = cli::Message(error);
  cli::Say(what);
  std::cerr << HelpName(app) << " --help lists what there is\n";
  return cli::kUsage;
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// Reads the command line with CLI11, which wants it backwards.
void Parse(CLI::App& app, std::span<const std::string> words) {
  coalcheck::Result<std::vector<std::string>> joined = cli::JoinOptionValues(words);
  if (!joined.ok()) throw CLI::ValidationError(joined.error());
  app.parse(std::vector<std::string>(joined.value().rbegin(), joined.value().rend()));
}

// Options may stand before a command's second word, too: coalcheck baseline --scope all write …
void BringSecondWordForward(const CLI::App& app, std::vector<std::string>& words) {
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  const auto command = std::ranges::find(all, words[0], &CLI::App::get_name);
  if (command == all.end()) return;
  const std::vector<std::string> rest = cli::CommandFirst(
      std::vector<std::string>(words.begin() + 1, words.end()), CommandNames(**command));
  std::copy(rest.begin(), rest.end(), words.begin() + 1);
}

// What did not arrive, as on a full disk, must not look like success. Commands that look themselves
// have said so.
int Delivered(int exit_code) {
  std::cout << std::flush;
  if (std::cout.good() || exit_code == cli::kInternalError) return exit_code;
  cli::Say("cannot write to standard output");
  return cli::kInternalError;
}

int Run(int argc, char** argv) {
  CLI::App app("Names the source lines of a CUDA program that waste global-memory sectors.",
               "coalcheck");
  int exit_code = cli::kClean;
  AddCommands(app, [&exit_code](int code) { exit_code = code; });
  std::vector<std::string> words =
      cli::CommandFirst(std::vector<std::string>(argv + 1, argv + argc), CommandNames(app));
  if (words.empty()) {
    std::cerr << app.help();
    return cli::kUsage;
  }
  if (words[0] == "run") return cli::RunCommand(std::span(words).subspan(1));
  if (cli::Classify(words[0], CommandNames(app), cli::IsProgram) == cli::FirstWord::kLaunch) {
    return cli::RunCommand(words);
  }
  BringSecondWordForward(app, words);
  try {
    Parse(app, words);
  } catch (const CLI::ParseError& error) {
    return Delivered(Complain(app, error));
  }
  return Delivered(exit_code);
}

}  // namespace

int main(int argc, char** argv) {
  cli::ExpectCutFiles();
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    cli::Say(std::string("internal error: ") + error.what());
    return cli::kInternalError;
  }
}

// SPDX-License-Identifier: Apache-2.0
//
// coalcheck: reads the command line, runs one command, returns its exit code.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "cli/base/last_resort.h"
#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/commands/run.h"
#include "cli/launch/child.h"
#include "cli/launch/words.h"
#include "cli/syntax/command_line.h"
#include "cli/syntax/command_syntax.h"
#include "cli/syntax/suggestion.h"

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

// Of the commands one word below, hidden ones too.
std::vector<std::string> Names(const cli::CommandLineSyntax& all, const cli::CommandSyntax& of) {
  std::vector<std::string> names;
  for (const cli::CommandSyntax* command : cli::CommandsBelow(all, of)) {
    names.push_back(command->words.back());
  }
  return names;
}

std::string UsageLines(const cli::CommandLineSyntax& all) {
  std::vector<std::string> names;
  for (const cli::CommandSyntax* command : cli::CommandsBelow(all, all.front())) {
    if (!command->hidden && command->words[0] != "run") names.push_back(command->words[0]);
  }
  return fmt::format(
      "Usage: coalcheck [run] [OPTIONS] [--] APP [ARGS…]\n       coalcheck {} [OPTIONS] …\n",
      fmt::join(names, "|"));
}

void AddCommands(cli::Command coalcheck, const cli::SetExitCode& set_exit_code) {
  coalcheck.Version("coalcheck " COALCHECK_VERSION);
  coalcheck.RequireCommand();
  for (const cli::AddCommand add : cli::kCommands) add(coalcheck, set_exit_code);
  coalcheck.Usage(UsageLines(coalcheck.Syntax()));
  coalcheck.Footer(kFooter);  // last, as commands take over what their parent has
}

// An unknown word explains the mistake better than the message of the parser.
int Complain(const cli::Reading& mistake, const cli::CommandLineSyntax& all) {
  std::string what = cli::DescribeUnknownWord(mistake, all);
  if (what.empty()) what = cli::DescribeMissingWord(mistake, all);
  if (what.empty()) what = mistake.message;
  cli::Say(what);
  std::cerr << cli::CommandName(mistake) << " --help lists the options\n";
  return cli::kUsage;
}

cli::Reading Read(cli::CommandParser& parser, std::span<const std::string> words) {
  coalcheck::Result<std::vector<std::string>> joined = cli::JoinOptionValues(words);
  if (joined.ok()) return parser.Read(joined.value());
  cli::Reading mistake;
  mistake.end = cli::Reading::End::kMistake;
  mistake.message = joined.error();
  return mistake;
}

// Options may stand before a command's second word, too: coalcheck baseline --scope all write …
void BringSecondWordForward(const cli::CommandLineSyntax& all, std::vector<std::string>& words) {
  const cli::CommandSyntax* command = cli::FindCommand(all, {words[0]});
  if (command == nullptr) return;
  const std::vector<std::string> rest = cli::CommandFirst(
      std::vector<std::string>(words.begin() + 1, words.end()), Names(all, *command));
  std::copy(rest.begin(), rest.end(), words.begin() + 1);
}

// Output that was not written, as on a full disk, must not look like success. Commands that check
// it have said so.
int Delivered(int exit_code) {
  std::cout << std::flush;
  if (std::cout.good() || exit_code == cli::kInternalError) return exit_code;
  cli::Say("cannot write to standard output");
  return cli::kInternalError;
}

int Run(int argc, char** argv) {
  cli::CommandParser parser(
      "Names the source lines of a CUDA program that waste global-memory sectors.", "coalcheck");
  int exit_code = cli::kClean;
  AddCommands(parser.root(), [&exit_code](int code) { exit_code = code; });
  const cli::CommandLineSyntax all = parser.root().Syntax();
  const std::vector<std::string> commands = Names(all, all.front());
  std::vector<std::string> words =
      cli::CommandFirst(std::vector<std::string>(argv + 1, argv + argc), commands);
  if (words.empty()) {
    std::cerr << parser.Help();
    return cli::kUsage;
  }
  if (words[0] == "run") return cli::RunCommand(std::span(words).subspan(1));
  if (cli::Classify(words[0], commands, cli::IsProgram) == cli::FirstWord::kLaunch) {
    return cli::RunCommand(words);
  }
  BringSecondWordForward(all, words);
  const cli::Reading reading = Read(parser, words);
  if (reading.end == cli::Reading::End::kPrinted) exit_code = cli::kClean;
  if (reading.end == cli::Reading::End::kMistake) exit_code = Complain(reading, all);
  return Delivered(exit_code);
}

}  // namespace

int main(int argc, char** argv) {
  cli::EndOnCutFiles();
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    cli::Say(std::string("internal error: ") + error.what());
    return cli::kInternalError;
  }
}

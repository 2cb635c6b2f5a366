// SPDX-License-Identifier: Apache-2.0
//
// `coalcheck manual`: writes the manual pages and the shells' completion scripts of an
// installation.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/say.h"
#include "cli/commands/commands.h"
#include "cli/manual/completion.h"
#include "cli/manual/man_page.h"
#include "cli/manual/syntax.h"
#include "cli/syntax/command_line.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

struct File {
  std::string path;
  std::string text;
};

// Below a folder such as /usr/share, where man and the shells look for them.
std::vector<File> AllFiles(const CommandLineSyntax& all) {
  std::vector<File> files = {
      {"bash-completion/completions/coalcheck", BashCompletion(all)},
      {"zsh/site-functions/_coalcheck", ZshCompletion(all)},
      {"fish/vendor_completions.d/coalcheck.fish", FishCompletion(all)},
  };
  for (const CommandSyntax& command : all) {
    files.push_back({fmt::format("man/man1/{}.1", PageName(command)), ManPage(all, command)});
  }
  return files;
}

int WriteAll(const CommandLineSyntax& all, const std::string& folder) {
  for (const File& file : AllFiles(all)) {
    const fs::path path = fs::path(folder) / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << file.text << std::flush;
    if (out.good()) continue;
    Say("cannot write " + path.string());
    return kInternalError;
  }
  return kClean;
}

int PrintPage(const CommandLineSyntax& all, const std::vector<std::string>& words) {
  const CommandSyntax* command = FindCommand(all, words);
  if (command == nullptr) {
    Say(fmt::format("there is no command \"{}\"; coalcheck --help lists them",
                    fmt::join(words, " ")));
    return kUsage;
  }
  std::cout << ManPage(all, *command) << std::flush;
  return std::cout.good() ? kClean : kInternalError;
}

}  // namespace

void AddManualCommand(Command& coalcheck, SetExitCode set_exit_code) {
  struct Words {
    std::vector<std::string> command;
    std::string folder;
  };
  auto words = std::make_shared<Words>();
  Command command = coalcheck.AddCommand("manual", "Print the manual page of a command");
  command.Add("command", &words->command, "The command; without one, coalcheck itself")
      .Takes("COMMAND");
  command
      .Add("--write-all", &words->folder,
           "write all pages, and the shells' completion, below this folder instead, as "
           "/usr/share has them")
      .Takes("FOLDER");
  command.Footer(
      "To read a page where none is installed:\n"
      "  coalcheck manual report | man -l -\n\n"
      "Exit codes: 0 it is printed, 2 usage, or there is no such command, 5 it cannot be written.");
  command.OnParsed([words, coalcheck, set_exit_code = std::move(set_exit_code)] {
    const CommandLineSyntax all = DescribeCommandLine(coalcheck);
    set_exit_code(words->folder.empty() ? PrintPage(all, words->command)
                                        : WriteAll(all, words->folder));
  });
}

}  // namespace coalcheck::cli

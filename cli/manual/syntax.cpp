// SPDX-License-Identifier: Apache-2.0
//
// Puts `run` in its place among the commands.
#include "cli/manual/syntax.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/run.h"

namespace coalcheck::cli {
namespace {

CommandSyntax DescribeRun() {
  CommandSyntax run = RunSyntax();
  run.words = {"run"};
  run.arguments = {{"APP", "The program, and behind it its own arguments", true, false},
                   {"ARGS", "What the program gets", false, true}};
  return run;
}

}  // namespace

CommandLineSyntax DescribeCommandLine(const Command& root) {
  CommandLineSyntax all = root.Syntax();
  std::erase_if(all, [](const CommandSyntax& command) { return command.hidden; });
  const auto run = std::ranges::find(all, std::vector<std::string>{"run"}, &CommandSyntax::words);
  if (run != all.end()) *run = DescribeRun();
  return all;
}

CommandSyntax RootWithRunOptions(const CommandLineSyntax& all) {
  CommandSyntax root = all.front();
  const CommandSyntax* run = FindCommand(all, {"run"});
  if (run == nullptr) return root;
  root.arguments = run->arguments;
  for (const OptionSyntax& option : run->options) {
    const auto has_its_name = [&option](const OptionSyntax& own) {
      return own.names == option.names;
    };
    if (std::ranges::none_of(root.options, has_its_name)) root.options.push_back(option);
  }
  return root;
}

}  // namespace coalcheck::cli

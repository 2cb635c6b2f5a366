// SPDX-License-Identifier: Apache-2.0
//
// Leaves out hidden commands, and adds the options of `run` to coalcheck itself.
#include "cli/manual/syntax.h"

#include <algorithm>

namespace coalcheck::cli {

CommandLineSyntax DescribeCommandLine(const Command& root) {
  CommandLineSyntax all = root.Syntax();
  std::erase_if(all, [](const CommandSyntax& command) { return command.hidden; });
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

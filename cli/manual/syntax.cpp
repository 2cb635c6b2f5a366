// SPDX-License-Identifier: Apache-2.0
//
// Walks over CLI11's description of a command.
#include "cli/manual/syntax.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/run.h"

namespace coalcheck::cli {
namespace {

OptionSyntax DescribeOption(const CLI::Option& option) {
  OptionSyntax syntax;
  for (const std::string& name : option.get_snames()) syntax.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) syntax.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) syntax.value = option.get_type_name();
  syntax.help = option.get_description();
  return syntax;
}

ArgumentSyntax DescribeArgument(const CLI::Option& option) {
  return {option.get_type_name(), option.get_description(), option.get_required(),
          option.get_items_expected_max() > 1};
}

CommandSyntax DescribeWords(const CLI::App& app, std::vector<std::string> words) {
  CommandSyntax syntax;
  syntax.words = std::move(words);
  syntax.description = app.get_description();
  syntax.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      syntax.arguments.push_back(DescribeArgument(*option));
    } else {
      syntax.options.push_back(DescribeOption(*option));
    }
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;  // hidden
    std::vector<std::string> longer = syntax.words;
    longer.push_back(command->get_name());
    syntax.commands.push_back(DescribeWords(*command, std::move(longer)));
  }
  return syntax;
}

CommandSyntax DescribeRun() {
  CommandSyntax run;
  WithRunParser([&run](const CLI::App& parser) { run = DescribeWords(parser, {"run"}); });
  run.arguments = {{"APP", "The program, and behind it its own arguments", true, false},
                   {"ARGS", "What the program gets", false, true}};
  return run;
}

}  // namespace

CommandSyntax DescribeCommandLine(const CLI::App& root) {
  CommandSyntax all = DescribeWords(root, {});
  std::ranges::replace_if(
      all.commands, [](const CommandSyntax& one) { return one.words.front() == "run"; },
      DescribeRun());
  return all;
}

const CommandSyntax* FindCommand(const CommandSyntax& root, const std::vector<std::string>& words) {
  if (root.words == words) return &root;
  for (const CommandSyntax& command : root.commands) {
    if (const CommandSyntax* found = FindCommand(command, words)) return found;
  }
  return nullptr;
}

CommandSyntax WithRunOptions(CommandSyntax root) {
  const CommandSyntax* run = FindCommand(root, {"run"});
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

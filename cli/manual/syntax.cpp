// SPDX-License-Identifier: Apache-2.0
//
// Walks over CLI11's description of a command.
#include "cli/manual/syntax.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <span>
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

// Without the commands below it.
CommandSyntax DescribeOne(const CLI::App& app, std::vector<std::string> words) {
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
  return syntax;
}

CommandSyntax DescribeRun() {
  CommandSyntax run;
  WithRunParser([&run](const CLI::App& parser) { run = DescribeOne(parser, {"run"}); });
  run.arguments = {{"APP", "The program, and behind it its own arguments", true, false},
                   {"ARGS", "What the program gets", false, true}};
  return run;
}

struct Found {
  const CLI::App* app;
  std::vector<std::string> words;
};

std::vector<Found> Below(const Found& command) {
  std::vector<Found> below;
  for (const CLI::App* one : command.app->get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_group().empty()) continue;  // hidden
    std::vector<std::string> words = command.words;
    words.push_back(one->get_name());
    below.push_back({one, std::move(words)});
  }
  return below;
}

}  // namespace

CommandLineSyntax DescribeCommandLine(const CLI::App& root) {
  CommandLineSyntax all;
  std::deque<Found> to_describe = {{&root, {}}};
  while (!to_describe.empty()) {
    const Found next = std::move(to_describe.front());
    to_describe.pop_front();
    const bool is_run = next.words == std::vector<std::string>{"run"};
    all.push_back(is_run ? DescribeRun() : DescribeOne(*next.app, next.words));
    const std::vector<Found> below = Below(next);
    to_describe.insert(to_describe.begin(), below.begin(), below.end());
  }
  return all;
}

const CommandSyntax* FindCommand(const CommandLineSyntax& all,
                                 const std::vector<std::string>& words) {
  const auto found = std::ranges::find(all, words, &CommandSyntax::words);
  return found == all.end() ? nullptr : &*found;
}

std::vector<const CommandSyntax*> CommandsBelow(const CommandLineSyntax& all,
                                                const CommandSyntax& command) {
  std::vector<const CommandSyntax*> below;
  for (const CommandSyntax& one : all) {
    const bool is_longer = one.words.size() == command.words.size() + 1;
    if (is_longer &&
        std::ranges::equal(command.words, std::span(one.words).first(command.words.size()))) {
      below.push_back(&one);
    }
  }
  return below;
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

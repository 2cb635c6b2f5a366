// SPDX-License-Identifier: Apache-2.0
//
// Hands each declaration to CLI11.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {

Option& Option::Required() {
  option_->required();
  return *this;
}

Option& Option::Takes(const std::string& placeholder) {
  option_->type_name(placeholder);
  return *this;
}

Option& Option::Checked(Check check) {
  option_->check(std::move(check));
  return *this;
}

Option& Option::OneValueEachTime() {
  option_->allow_extra_args(false);
  return *this;
}

Command Command::AddCommand(const std::string& name, const std::string& description) {
  return Command(*app_->add_subcommand(name, description));
}

void Command::RequireCommand() { app_->require_subcommand(1); }

void Command::Hide() { app_->group(""); }

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::OnParsed(std::function<void()> run) { app_->callback(std::move(run)); }

Option Command::Add(const std::string& name, Destination destination, const std::string& help) {
  return std::visit([&](auto* value) { return Option(*app_->add_option(name, *value, help)); },
                    destination);
}

void Command::AddFlag(const std::string& name, bool& destination, const std::string& help) {
  app_->add_flag(name, destination, help);
}

Option Command::AddFromTable(std::string_view name, Destination destination,
                             const std::string& short_form) {
  const options::OptionSpec& spec = *options::FindOption(name);
  std::string help(spec.help);
  if (!spec.default_value.empty()) help += " [" + std::string(spec.default_value) + "]";
  const std::string names =
      (short_form.empty() ? "--" : short_form + ",--") + std::string(spec.name);
  CLI::Option* option =
      std::visit([&](auto* value) { return app_->add_option(names, *value, help); }, destination);
  option->type_name(std::string(spec.value))->allow_extra_args(false);
  if (std::holds_alternative<std::vector<std::string>*>(destination)) {
    option->expected(1)->take_all();  // one each time, so that help shows no dots
  } else {
    option->take_last();  // the last word counts, as in a shell's alias
  }
  return Option(*option);
}

void Command::AddFlagFromTable(std::string_view name, bool& destination) {
  const options::OptionSpec& spec = *options::FindOption(name);
  AddFlag("--" + std::string(spec.name), destination, std::string(spec.help));
}

}  // namespace coalcheck::cli

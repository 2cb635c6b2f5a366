// SPDX-License-Identifier: Apache-2.0
//
// Options of the command line out of the one option table, so that --help, COALCHECK_OPTIONS and
// the documentation agree.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {

// Adds the option `name` of the table, bound to `variable`, with an optional short form ("-o").
// A repeatable option takes one value each time.
template <typename Variable>
CLI::Option* AddTableOption(CLI::App& command, std::string_view name, Variable& variable,
                            const std::string& short_form = "") {
  const options::OptionSpec& spec = *options::FindOption(name);
  std::string help(spec.help);
  if (!spec.default_value.empty()) help += " [" + std::string(spec.default_value) + "]";
  const std::string prefix = short_form.empty() ? "" : short_form + ",";
  CLI::Option* option = command.add_option(prefix + "--" + std::string(spec.name), variable, help);
  option->type_name(std::string(spec.value))->allow_extra_args(false);
  if constexpr (std::is_same_v<Variable, std::vector<std::string>>) {
    option->expected(1)->take_all();  // one each time, so that help shows no dots
  } else {
    option->take_last();  // the last word counts, as in a shell's alias
  }
  return option;
}

// The same for an option without a value.
inline CLI::Option* AddTableFlag(CLI::App& command, std::string_view name, bool& variable) {
  const options::OptionSpec& spec = *options::FindOption(name);
  return command.add_flag("--" + std::string(spec.name), variable, std::string(spec.help));
}

}  // namespace coalcheck::cli

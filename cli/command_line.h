// SPDX-License-Identifier: Apache-2.0
//
// What a command takes. CLI11 does the work, behind this header, as its own take seconds to compile
// in each file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/option_checks.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace coalcheck::cli {

// Where a value goes. It must live until the command line was read.
using Destination = std::variant<std::string*, std::vector<std::string>*, int*, std::uint32_t*,
                                 double*, std::optional<double>*, std::optional<std::size_t>*>;

// An option, or a word that is none.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& Required();
  // What help calls the value: "FOLDER", or "text|json".
  Option& Takes(const std::string& placeholder);
  Option& Checked(Check check);
  // Takes one value, and the next word is something else.
  Option& OneValueEachTime();

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  const CLI::App& app() const { return *app_; }

  Command AddCommand(const std::string& name, const std::string& description);
  // One of the commands below must be given.
  void RequireCommand();
  void Hide();
  // Paragraphs behind the list of options.
  void Footer(const std::string& text);
  void OnParsed(std::function<void()> run);

  // `name` is "--output" or "-o,--output", or that of a word that is no option: "file".
  Option Add(const std::string& name, Destination destination, const std::string& help = "");
  void AddFlag(const std::string& name, bool& destination, const std::string& help);

  // Those of the one option table, so that --help, COALCHECK_OPTIONS and the documentation agree.
  // An option that may be repeated takes one value each time; of the others the last counts.
  Option AddFromTable(std::string_view name, Destination destination,
                      const std::string& short_form = "");
  void AddFlagFromTable(std::string_view name, bool& destination);

 private:
  CLI::App* app_;
};

}  // namespace coalcheck::cli

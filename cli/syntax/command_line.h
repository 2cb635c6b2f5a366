// SPDX-License-Identifier: Apache-2.0
//
// Declares the options of commands and reads a command line. CLI11 does the work, in one source
// file, as its headers take seconds to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/syntax/command_syntax.h"
#include "cli/syntax/option_checks.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace coalcheck::cli {

// Where a value goes. It must live until the command line was read.
using Destination = std::variant<std::string*, std::vector<std::string>*, int*, std::uint32_t*,
                                 double*, std::optional<double>*, std::optional<std::size_t>*>;

// An option, or a word that is no option.
class Option {
 public:
  Option& Required();
  // What help calls the value: "FOLDER", or "text|json".
  Option& Takes(const std::string& placeholder);
  Option& Checked(Check check);
  // A number from 0 to 100; a % behind it says the same.
  Option& OfPercent();
  // Takes one value, and the next word is something else.
  Option& OneValueEachTime();

 private:
  friend class Command;
  explicit Option(CLI::Option& option) : option_(&option) {}

  CLI::Option* option_;
};

class Command {
 public:
  // This one and those below it.
  CommandLineSyntax Syntax() const;

  Command AddCommand(const std::string& name, const std::string& description);
  // One of the commands below must be given.
  void RequireCommand();
  void Hide();
  // The lines that help begins with; without, CLI11 makes one.
  void Usage(const std::string& lines);
  // Paragraphs behind the list of options. Commands that are added later begin with the same.
  void Footer(const std::string& text);
  // What --version prints.
  void Version(const std::string& text);
  void OnParsed(std::function<void()> run);
  // Runs once the options are read, before what OnParsed was given.
  void BeforeThat(std::function<void()> run);

  // `name` is "--output" or "-o,--output", or that of a word that is no option: "file".
  Option Add(const std::string& name, Destination destination, const std::string& help = "");
  void AddFlag(const std::string& name, bool& destination, const std::string& help);
  // A flag that somebody else reads.
  void AddUnreadFlag(const std::string& name, const std::string& help);

  // Those of the one option table, so that --help, COALCHECK_OPTIONS and the documentation agree.
  // An option that may be repeated takes one value each time; of the others the last counts.
  Option AddFromTable(std::string_view name, Destination destination,
                      const std::string& short_form = "");
  void AddFlagFromTable(std::string_view name, bool& destination);

 private:
  friend class CommandParser;
  explicit Command(CLI::App& app) : app_(&app) {}

  CLI::App* app_;
};

// How the reading of a command line ended.
struct Reading {
  enum class End {
    kRead,     // the function given to OnParsed has run
    kPrinted,  // help or the version, which were asked for
    kMistake,
  };
  End end = End::kRead;
  // Of a mistake: what it is, as "--format takes …".
  std::string message;
  std::vector<std::string> command;  // the words of the command that was being read
  std::vector<std::string> left;     // the words that nobody took
  bool is_short = false;             // something that is required did not come
  std::string missing;               // the placeholder of the first word that did not, if it is one
};

// The commands of a program, or one that is read by itself.
class CommandParser {
 public:
  CommandParser(const std::string& description, const std::string& name);
  ~CommandParser();
  CommandParser(const CommandParser&) = delete;
  CommandParser& operator=(const CommandParser&) = delete;

  Command root() { return Command(*app_); }
  std::string Help() const;
  Reading Read(std::span<const std::string> words);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace coalcheck::cli

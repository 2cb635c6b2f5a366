// SPDX-License-Identifier: Apache-2.0
//
// Passes each declaration to CLI11, and its results and messages back.
#include "cli/syntax/command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/syntax/option_checks.h"
#include "cli/syntax/option_help.h"
#include "libcoalcheck/options/option_table.h"

namespace coalcheck::cli {
namespace {

// Begins the help of one command with given lines.
class UsageFormatter : public CLI::Formatter {
 public:
  UsageFormatter(const CLI::App& app, std::string lines) : app_(&app), lines_(std::move(lines)) {}

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return app == app_ ? lines_ : CLI::Formatter::make_usage(app, std::move(name));
  }

 private:
  const CLI::App* app_;
  std::string lines_;
};

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

// Appends a command and those below it, which are two words at most.
void Describe(const CLI::App& app, std::vector<std::string> words, bool hidden,
              CommandLineSyntax& all) {
  CommandSyntax& syntax = all.emplace_back();
  syntax.words = words;
  syntax.description = app.get_description();
  syntax.footer = app.get_footer();
  syntax.hidden = hidden;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      syntax.arguments.push_back(DescribeArgument(*option));
    } else {
      syntax.options.push_back(DescribeOption(*option));
    }
  }
  words.emplace_back();
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.back() = below->get_name();
    Describe(*below, words, hidden || below->get_group().empty(), all);
  }
}

// As the other messages are worded: "--format takes …".
std::string Message(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::size_t takes = text.find(": takes ");
  if (text.starts_with("--") && takes < text.find(' ')) text.erase(takes, 1);
  return text;
}

Reading Mistake(const CLI::App& root, const CLI::ParseError& error) {
  Reading reading;
  reading.end = Reading::End::kMistake;
  reading.message = Message(error);
  reading.left = root.remaining(/*recurse=*/true);
  const CLI::App* current = &root;
  for (auto below = root.get_subcommands(); !below.empty(); below = current->get_subcommands()) {
    current = below.back();
    reading.command.push_back(current->get_name());
  }
  reading.is_short = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  for (const CLI::Option* option : current->get_options()) {
    if (option->get_positional() && option->get_required() && option->count() == 0) {
      reading.missing = option->get_type_name();
      break;
    }
  }
  return reading;
}

}  // namespace

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

Option& Option::OfPercent() {
  option_->transform([](const std::string& text) {
    return text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  });
  return Checked(RefuseAllButPercent);
}

Option& Option::OneValueEachTime() {
  option_->allow_extra_args(false);
  return *this;
}

CommandLineSyntax Command::Syntax() const {
  CommandLineSyntax all;
  Describe(*app_, {}, /*hidden=*/false, all);
  return all;
}

Command Command::AddCommand(const std::string& name, const std::string& description) {
  return Command(*app_->add_subcommand(name, description));
}

void Command::RequireCommand() { app_->require_subcommand(1); }

void Command::Hide() { app_->group(""); }

void Command::Usage(const std::string& lines) {
  app_->formatter(std::make_shared<UsageFormatter>(*app_, lines));
}

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::Version(const std::string& text) { app_->set_version_flag("--version", text); }

void Command::OnParsed(std::function<void()> run) { app_->callback(std::move(run)); }

void Command::BeforeThat(std::function<void()> run) {
  app_->parse_complete_callback(std::move(run));
}

Option Command::Add(const std::string& name, Destination destination, const std::string& help) {
  return std::visit([&](auto* value) { return Option(*app_->add_option(name, *value, help)); },
                    destination);
}

void Command::AddFlag(const std::string& name, bool& destination, const std::string& help) {
  app_->add_flag(name, destination, help);
}

void Command::AddUnreadFlag(const std::string& name, const std::string& help) {
  app_->add_flag_function(
      name, [](std::int64_t) {}, help);
}

Option Command::AddFromTable(std::string_view name, Destination destination,
                             const std::string& short_form) {
  const options::OptionSpec& spec = *options::FindOption(name);
  const std::string help = HelpOf(spec);
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

CommandParser::CommandParser(const std::string& description, const std::string& name)
    : app_(std::make_unique<CLI::App>(description, name)) {}

CommandParser::~CommandParser() = default;

std::string CommandParser::Help() const { return app_->help(); }

Reading CommandParser::Read(std::span<const std::string> words) {
  Reading reading;
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it wants them backwards
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return Mistake(*app_, error);
    app_->exit(error);
    reading.end = Reading::End::kPrinted;
  }
  return reading;
}

}  // namespace coalcheck::cli

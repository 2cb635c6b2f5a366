// SPDX-License-Identifier: Apache-2.0
//
// Sections in the order that man-pages(7) asks for.
#include "cli/manual/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <string_view>
#include <vector>

namespace coalcheck::cli {
namespace {

constexpr std::string_view kExitCodes = "Exit codes: ";

// Of the commands that run a program; the others read none of it.
constexpr std::string_view kEnvironmentOfRun = R"(.SH ENVIRONMENT
.TP
.B COALCHECK_OPTIONS
Options, split into words as a shell would; those of the command line win.
.TP
.B COALCHECK_CUPTI_PATH
libcupti, or its folder, where it is in none of the usual places.
.TP
.B COALCHECK_COMMAND
The command that makes the report, where it is not beside the library.
.TP
.B CUDA_INJECTION64_PATH
Names libcoalcheck.so to the CUDA driver, where a program is started without
.BR coalcheck\-run (1).
)";

// One character of UTF-8 at `at`, as a number; moves `at` behind it. Our own texts are well-formed.
unsigned TakeCharacter(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  unsigned value = lead & (0x3fU >> more);
  for (int i = 0; i < more && at < text.size(); ++i) {
    value = value << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fU);
  }
  return value;
}

// Escapes plain text. Hyphens become the sign that can be copied into a shell.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const bool starts_line = escaped.empty() || escaped.back() == '\n';
    const unsigned character = TakeCharacter(text, at);
    if (starts_line && (character == '.' || character == '\'')) escaped += "\\&";
    if (character == '\\') {
      escaped += "\\(rs";
    } else if (character == '-') {
      escaped += "\\-";
    } else if (character >= 0x80) {
      escaped += fmt::format("\\[u{:04X}]", character);
    } else {
      escaped += static_cast<char>(character);
    }
  }
  return escaped;
}

std::string Bold(std::string_view text) { return "\\fB" + Escaped(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + Escaped(text) + "\\fR"; }

std::string UpperCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string CommandLine(const CommandSyntax& command) {
  return command.words.empty() ? "coalcheck"
                               : fmt::format("coalcheck {}", fmt::join(command.words, " "));
}

std::string ArgumentText(const ArgumentSyntax& argument) {
  const std::string word = Italic(argument.value) + (argument.repeatable ? "\\&..." : "");
  return argument.required ? word : "[" + word + "]";
}

std::string Synopsis(const CommandSyntax& command, bool has_commands) {
  std::string text = ".SH SYNOPSIS\n";
  if (command.words.empty()) {
    return text + Bold("coalcheck") + " [" + Bold("run") + "] [" + Italic("OPTIONS") + "] [" +
           Bold("--") + "] " + Italic("APP") + " [" + Italic("ARGS") + "\\&...]\n.br\n" +
           Bold("coalcheck") + " " + Italic("COMMAND") + " [" + Italic("OPTIONS") + "] ...\n";
  }
  text += Bold(CommandLine(command));
  if (has_commands) text += " " + Italic("COMMAND");
  text += " [" + Italic("OPTIONS") + "]";
  if (command.words.front() == "run") text += " [" + Bold("--") + "]";
  for (const ArgumentSyntax& argument : command.arguments) text += " " + ArgumentText(argument);
  return text + "\n";
}

// "Exit codes: 0 …" of a footer, which has a section of its own.
std::string ExitStatusOf(const std::string& footer) {
  const std::size_t at = footer.find(kExitCodes);
  return at == std::string::npos ? "" : footer.substr(at + kExitCodes.size());
}

// Paragraphs are filled anew; lines that begin with blanks are examples.
std::string Paragraphs(std::string_view text) {
  std::string written;
  bool example = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    start = end + 1;
    if (line.starts_with("  ") != example) {
      example = !example;
      written += example ? ".RS\n.nf\n" : ".fi\n.RE\n";
    }
    const std::size_t first = line.find_first_not_of(' ');
    written += first == std::string_view::npos ? ".PP" : Escaped(line.substr(first));
    written += '\n';
  }
  return written + (example ? ".fi\n.RE\n" : "");
}

std::string Commands(const std::vector<const CommandSyntax*>& commands) {
  std::string text = ".SH COMMANDS\n";
  for (const CommandSyntax* one : commands) {
    text +=
        fmt::format(".TP\n.BR {} (1)\n{}.\n", Escaped(PageName(*one)), Escaped(one->description));
  }
  return text;
}

std::string Arguments(const CommandSyntax& command) {
  std::string text = ".SH ARGUMENTS\n";
  for (const ArgumentSyntax& one : command.arguments) {
    text += fmt::format(".TP\n{}\n{}.\n", Italic(one.value), Escaped(one.help));
  }
  return text;
}

std::string Options(const CommandSyntax& command) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionSyntax& one : command.options) {
    std::vector<std::string> names;
    for (const std::string& name : one.names) names.push_back(Bold(name));
    const std::string value = one.value.empty() ? "" : " " + Italic(one.value);
    text += fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "), value, Escaped(one.help));
  }
  return text;
}

bool RunsAProgram(const CommandSyntax& command) {
  return command.words.empty() || command.words == std::vector<std::string>{"run"};
}

// coalcheck itself and the commands directly below it, the page's own left out.
std::string SeeAlso(const CommandLineSyntax& all, const CommandSyntax& command) {
  std::vector<std::string> others;
  for (const CommandSyntax& one : all) {
    if (&one != &command && one.words.size() <= 1) others.push_back(Escaped(PageName(one)));
  }
  return fmt::format(".SH SEE ALSO\n.BR {} (1)\n", fmt::join(others, " (1),\n.BR "));
}

}  // namespace

std::string PageName(const CommandSyntax& command) {
  return command.words.empty() ? "coalcheck"
                               : fmt::format("coalcheck-{}", fmt::join(command.words, "-"));
}

std::string ManPage(const CommandLineSyntax& all, const CommandSyntax& command) {
  const std::vector<const CommandSyntax*> below = CommandsBelow(all, command);
  // No date: the same sources give the same page on any day.
  std::string page = fmt::format(".TH {} 1 \"\" \"coalcheck {}\" \"coalcheck\"\n",
                                 Escaped(UpperCase(PageName(command))), COALCHECK_VERSION);
  const std::string exit_status = ExitStatusOf(command.footer);
  const std::string notes = command.footer.substr(0, command.footer.find(kExitCodes));
  page += fmt::format(".SH NAME\n{} \\- {}\n", Escaped(PageName(command)),
                      Escaped(command.description));
  page += Synopsis(command, !below.empty());
  if (notes.find_first_not_of('\n') != std::string::npos) {
    page += ".SH DESCRIPTION\n" + Paragraphs(notes.substr(0, notes.find_last_not_of('\n') + 1));
  }
  if (!below.empty()) page += Commands(below);
  if (!command.arguments.empty()) page += Arguments(command);
  if (!command.options.empty()) page += Options(command);
  if (!exit_status.empty()) page += ".SH \"EXIT STATUS\"\n" + Paragraphs(exit_status);
  if (RunsAProgram(command)) page += kEnvironmentOfRun;
  return page + SeeAlso(all, command);
}

}  // namespace coalcheck::cli

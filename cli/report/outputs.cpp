// SPDX-License-Identifier: Apache-2.0
//
// Writes one form after the other, up to the first that cannot be written.
#include "cli/report/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <system_error>

#include "cli/base/color.h"
#include "cli/base/foreign_file.h"
#include "cli/base/repository.h"
#include "cli/base/say.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

// A link in a folder of somebody else's may lead to any file of the user's. Those of the system
// lead to open files: /dev/stdout, /dev/fd/3.
std::string WhyLink(const fs::path& file) {
  std::error_code error;
  if (!fs::is_symlink(file, error)) return {};
  const std::string folder = fs::weakly_canonical(fs::absolute(file).parent_path(), error).string();
  if (folder == "/dev" || folder == "/dev/fd" || folder.starts_with("/proc/")) return {};
  return "it is a link; name the file that it leads to, " + fs::read_symlink(file, error).string();
}

std::string WhyNotWritable(const std::string& file) {
  if (std::string why = WhyLink(file); !why.empty()) return why;
  const std::string folder = fs::path(file).parent_path().string();
  if (std::string why = WhyOutOfRepository(folder.empty() ? "." : folder); !why.empty()) return why;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) return "it is a folder";
  // Nobody may ever read from it. One that /dev/stdout leads to is meant.
  if (fs::is_fifo(fs::symlink_status(file, error))) return "it is a pipe";
  const std::string& asked = fs::exists(status) ? file : folder;
  if (access(asked.empty() ? "." : asked.c_str(), W_OK) == 0) return {};
  return std::strerror(errno);
}

// Empty: standard output.
std::optional<std::string> FileOf(const WantedOutput& wanted) {
  return wanted.file == kStandardOutput ? std::nullopt : wanted.file;
}

std::string PlaceOf(const WantedOutput& wanted) {
  return FileOf(wanted).value_or("standard output");
}

// Compares files, not the spelling of their names.
bool IsSamePlace(const WantedOutput& one, const WantedOutput& other) {
  const std::optional<std::string> a = FileOf(one);
  const std::optional<std::string> b = FileOf(other);
  if (!a || !b) return a == b;
  std::error_code error;
  return *a == *b || fs::weakly_canonical(fs::absolute(*a), error) ==
                         fs::weakly_canonical(fs::absolute(*b), error);
}

// A recording's own files, and the baseline, are what the report is made from.
std::string WhyInput(const std::string& file, const ReportOptions& options) {
  const fs::path path(file);
  std::error_code error;
  if (path.extension() == ".cubin" || (path.filename() == "records.jsonl" && fs::exists(path))) {
    return "it is part of a recording";
  }
  if (!options.baseline.empty() && fs::equivalent(path, options.baseline, error)) {
    return "it is the baseline";
  }
  return {};
}

// Of two reports in one file the second would be left; on standard output they could not be told
// apart.
std::string WhyTwice(const std::vector<WantedOutput>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_log =
          output::FormOf(wanted[j].format).is_lines && output::FormOf(wanted[i].format).is_lines;
      if (!IsSamePlace(wanted[j], wanted[i]) || (is_log && !FileOf(wanted[i]))) continue;
      return fmt::format("two formats, {} and {}, for {}; name a file: --format {}=FILE",
                         ToString(wanted[j].format), ToString(wanted[i].format), PlaceOf(wanted[i]),
                         ToString(wanted[i].format));
    }
  }
  return {};
}

output::Verbosity VerbosityOf(const std::string& name) {
  if (name == "quiet") return output::Verbosity::kQuiet;
  return name == "verbose" ? output::Verbosity::kVerbose : output::Verbosity::kNormal;
}

output::TextOptions TextOptionsOf(const WantedOutput& wanted, const ReportOptions& options) {
  const bool to_terminal = !wanted.file && options.out_is_terminal;
  output::TextOptions text{.print_limit = options.print_limit,
                           .color = WantsColor(options.color, to_terminal),
                           .verbosity = VerbosityOf(options.verbosity)};
  if (to_terminal) text.width = options.out_columns;
  return text;
}

// A link of somebody's may have come to stand there since the places were looked at.
std::ofstream OpenForWriting(const std::string& name, std::ios::openmode how = std::ios::trunc) {
  std::error_code error;
  const bool is_of_system = fs::is_symlink(name, error) && WhyLink(name).empty();
  return is_of_system ? std::ofstream(name, std::ios::binary | how) : OpenNoLink(name, how);
}

bool WriteOne(const WantedOutput& wanted, const std::function<void(std::ostream&)>& write,
              const ReportOptions& options, std::ostream& out) {
  if (const std::optional<std::string> name = FileOf(wanted)) {
    std::ofstream file = OpenForWriting(*name);
    write(file);
    return file.flush().good();
  }
  const bool to_standard = wanted.file && options.standard_output != nullptr;
  std::ostream& stream = to_standard ? *options.standard_output : out;
  write(stream);
  return stream.flush().good();
}

// The last words of a launch are the same whatever the report's form and place.
void WriteLastWords(const findings::Report& report, const verdict::Verdict& verdict,
                    const ReportOptions& options, bool written, std::ostream& out) {
  const WantedOutput last = WantedOutputs(options).back();
  const bool text_is_last = last.format == output::Format::kText && !last.file;
  if (!options.launch || (text_is_last && written)) return;
  out << output::SummaryLine(report, verdict,
                             output::Style(WantsColor(options.color, options.out_is_terminal)),
                             written)
      << '\n'
      << std::flush;
}

// GitHub takes 1 MiB of Markdown from a step, and refuses more of it.
constexpr std::size_t kMostInSummary = 100;

void AppendStepSummary(const output::FormInput& input, const std::string& file_name,
                       std::ostream& err) {
  std::ofstream file = OpenForWriting(file_name, std::ios::app);
  file << output::MarkdownTable(input, kMostInSummary) << std::flush;
  if (!file.good()) Say(err, "cannot append to the step summary " + file_name);
}

void WriteForGithub(const output::FormInput& input, const ReportOptions& options, std::ostream& out,
                    std::ostream& err) {
  if (!options.github) return;
  const auto asked = [](const WantedOutput& one) { return one.format == output::Format::kGithub; };
  if (options.formats.empty()) {
    output::WriteGithub(input, out);
  } else if (std::ranges::none_of(WantedOutputs(options), asked)) {
    return;
  }
  const std::string& summary = options.github->step_summary;
  if (!summary.empty()) AppendStepSummary(input, summary, err);
}

}  // namespace

std::vector<WantedOutput> WantedOutputs(const ReportOptions& options) {
  std::vector<WantedOutput> wanted;
  for (const std::string& text : options.formats) {
    const std::size_t equals = text.find('=');
    const std::optional<output::Format> format =
        output::FormatFromString(std::string_view(text).substr(0, equals));
    if (!format) continue;
    wanted.push_back({*format, std::nullopt});
    if (equals != std::string::npos) wanted.back().file = text.substr(equals + 1);
  }
  if (wanted.empty()) wanted.push_back({});
  auto file = options.outputs.begin();
  for (WantedOutput& one : wanted) {
    if (!one.file && file != options.outputs.end()) one.file = *file++;
  }
  return wanted;
}

std::string RefuseAllButFormat(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals + 1 == text.size()) return "names no file after '='";
  if (output::FormatFromString(std::string_view(text).substr(0, equals))) return {};
  std::vector<std::string_view> names;
  for (const output::Format format : output::AllFormats()) names.push_back(ToString(format));
  return fmt::format("takes {}, each alone or as FORMAT=FILE, not '{}'", fmt::join(names, ", "),
                     text);
}

std::string WhyNoOutput(const ReportOptions& options) {
  const std::vector<WantedOutput> wanted = WantedOutputs(options);
  const auto placed = std::ranges::count_if(
      options.formats, [](const std::string& text) { return text.find('=') != text.npos; });
  if (options.outputs.size() > wanted.size() - static_cast<std::size_t>(placed)) {
    return "--output: there are more files than formats";
  }
  for (const WantedOutput& one : wanted) {
    const std::optional<std::string> file = FileOf(one);
    if (!file) continue;
    std::string why = WhyNotWritable(*file);
    if (why.empty()) why = WhyInput(*file, options);
    if (!why.empty()) return fmt::format("cannot write the report to {}: {}", *file, why);
  }
  return WhyTwice(wanted);
}

bool WriteOutputs(const findings::Report& report, const verdict::Verdict& verdict,
                  const ReportOptions& options, cubin::SourceText& sources, std::ostream& out,
                  std::ostream& err) {
  WriteForGithub({report, verdict, sources}, options, out, err);
  for (const WantedOutput& wanted : WantedOutputs(options)) {
    const auto write = [&](std::ostream& stream) {
      output::FormOf(wanted.format)
          .write({report, verdict, sources, TextOptionsOf(wanted, options)}, stream);
    };
    if (WriteOne(wanted, write, options, out)) continue;
    Say(err, "cannot write the report to " + PlaceOf(wanted));
    WriteLastWords(report, verdict, options, false, out);
    return false;
  }
  WriteLastWords(report, verdict, options, true, out);
  return true;
}

}  // namespace coalcheck::cli

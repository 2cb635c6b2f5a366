// SPDX-License-Identifier: Apache-2.0
//
// Reads the lines from a kernel's name upwards, as far as they are part of its declaration.
#include "libcoalcheck/prediction/kernel_source.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "libcoalcheck/findings/signature.h"
#include "libcoalcheck/findings/source_lines.h"
#include "libcoalcheck/prediction/launch_words.h"

namespace coalcheck::prediction {
namespace {

constexpr std::uint32_t kMostLinesUp = 20;
constexpr std::string_view kComment = "//";
constexpr std::string_view kWord = "coalcheck:";
constexpr std::string_view kSuppression = "ignore";

std::string_view Stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// What a comment tells coalcheck, but for a suppression; empty for any other line.
std::string_view WordsIn(std::string_view line) {
  const std::size_t at = line.find(kComment);
  if (at == std::string_view::npos) return {};
  std::string_view words = Stripped(line.substr(at + kComment.size()));
  if (!words.starts_with(kWord)) return {};
  words = Stripped(words.substr(kWord.size()));
  return words.starts_with(kSuppression) ? std::string_view() : words;
}

// Whether a line above a kernel's name can be part of what is said of it: a comment, a template's
// parameters, `__global__ void`.
bool IsOfDeclaration(std::string_view line) {
  if (Stripped(line).empty()) return false;
  const std::string_view code = line.substr(0, line.find(kComment));
  return code.find_first_of(";}#") == std::string_view::npos;
}

void ReadComments(cubin::SourceText& sources, const std::string& file, std::uint32_t line,
                  KernelSource& result) {
  const std::uint32_t last = line > kMostLinesUp ? line - kMostLinesUp : 0;
  for (std::uint32_t at = line; at > last; --at) {
    const std::optional<std::string> text = sources.Line(file, at);
    if (!text || (at != line && !IsOfDeclaration(*text))) return;
    const std::string_view words = WordsIn(*text);
    if (words.empty()) continue;
    const std::string where = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), at);
    const Result<KnownLaunch> launch = ReadLaunch(words);
    if (launch.ok()) {
      result.launches.launches.push_back(launch.value());
      result.launches.launches.back().origin = where;
    } else {
      result.problems.push_back(fmt::format("{}: {}", where, launch.error()));
    }
  }
}

}  // namespace

KernelSource SourceOf(const cubin::Function& kernel, const std::vector<ptx::Parameter>& parameters,
                      const findings::SourceView& source, const cubin::SourceStamps& stamps) {
  KernelSource result;
  const std::optional<findings::Frame> body = findings::LineInBody(kernel, source);
  if (!body) return result;
  result.parameter_names = findings::ParameterNamesOf(kernel, parameters, source, stamps);
  const auto line = findings::DefinitionLine(source.text, {body->file, body->line},
                                             findings::DefinedName(kernel.name));
  if (line) ReadComments(source.text, body->file, *line, result);
  return result;
}

}  // namespace coalcheck::prediction

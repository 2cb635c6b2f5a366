// SPDX-License-Identifier: Apache-2.0
//
// Reads the lines from a kernel's name upwards, as far as they are part of its declaration.
#include "libcoalcheck/prediction/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "libcoalcheck/findings/sources/signature.h"
#include "libcoalcheck/findings/sources/source_lines.h"
#include "libcoalcheck/policy/source_comment.h"
#include "libcoalcheck/prediction/launch_words.h"

namespace coalcheck::prediction {
namespace {

constexpr std::uint32_t kMostLinesUp = 20;

// Whether a line above a kernel's name can be part of what is said of it: a comment, a template's
// parameters, `__global__ void`.
bool IsOfDeclaration(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return false;
  const std::string_view code = line.substr(0, std::min(line.find("//"), line.find("/*")));
  return code.find_first_of(";}#") == std::string_view::npos;
}

// Of a comment in that line. Error: what is wrong with it.
Result<std::optional<KnownLaunch>> LaunchIn(std::string_view line) {
  const Result<std::optional<policy::SourceComment>> comment = policy::ReadSourceComment(line);
  if (!comment.ok()) return Error{comment.error()};
  if (!comment.value() || comment.value()->launch.empty()) return std::optional<KnownLaunch>();
  const Result<KnownLaunch> launch = ReadLaunch(comment.value()->launch);
  if (!launch.ok()) return Error{launch.error()};
  return std::optional(launch.value());
}

void ReadComments(cubin::SourceText& sources, const std::string& file, std::uint32_t line,
                  KernelSource& result) {
  const std::uint32_t last = line > kMostLinesUp ? line - kMostLinesUp : 0;
  for (std::uint32_t at = line; at > last; --at) {
    const std::optional<std::string> text = sources.Line(file, at);
    if (!text || (at != line && !IsOfDeclaration(*text))) return;
    const Result<std::optional<KnownLaunch>> launch = LaunchIn(*text);
    const std::string where = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), at);
    if (!launch.ok()) {
      result.problems.push_back(fmt::format("{}: {}", where, launch.error()));
    } else if (launch.value() && result.launches.launches.size() < kMostKnownLaunches) {
      result.launches.launches.push_back(*launch.value());
      result.launches.launches.back().origin = where;
      result.launches.launches.back().is_of_comment = true;
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

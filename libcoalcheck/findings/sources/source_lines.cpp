// SPDX-License-Identifier: Apache-2.0
//
// Maps paths, drops frames that cannot be, and reads the signature around a line.
#include "libcoalcheck/findings/sources/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libcoalcheck/address/parameter_types.h"
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/cubin/line_shown.h"
#include "libcoalcheck/findings/places/places.h"

namespace coalcheck::findings {
namespace {

Frame Own(const cubin::SourceFrame& frame) {
  return {std::string(frame.function), std::string(frame.file), frame.line};
}

// Whether the program handed the text over that it compiled.
bool IsRecorded(const std::string& file, const SourceView& source) {
  const auto& files = source.scope.files;
  return files.contains(file) || files.contains(file.substr(file.rfind('/') + 1));
}

bool IsAsCompiled(const std::string& file, const SourceView& source,
                  const cubin::SourceStamps& stamps) {
  if (!source.stamp_of) return true;
  const std::optional<cubin::FileStamp> now = source.stamp_of(file);
  if (!now) return IsRecorded(file, source);
  const auto compiled = std::ranges::find_if(stamps, [&](const auto& one) {
    return source.path_map.Apply(cubin::TidyPath(one.first)) == file;
  });
  return compiled != stamps.end() && now == compiled->second;
}

}  // namespace

Lines Resolve(const std::vector<cubin::SourceFrame>& compiled, const SourceView& source) {
  std::vector<std::string> files;
  for (const cubin::SourceFrame& frame : compiled) {
    files.push_back(source.path_map.Apply(cubin::TidyPath(frame.file)));
  }
  std::vector<cubin::SourceFrame> mapped = compiled;
  for (std::size_t i = 0; i < mapped.size(); ++i) mapped[i].file = files[i];
  const std::vector<cubin::SourceFrame> kept = cubin::DropImpossibleFrames(mapped, source.text);
  Lines lines;
  for (const cubin::SourceFrame& frame : kept) lines.chain.push_back(Own(frame));
  if (const auto* shown = cubin::LineShown(kept, source.scope)) lines.shown = Own(*shown);
  return lines;
}

std::optional<Frame> LineInBody(const cubin::Function& kernel, const SourceView& source) {
  for (const cubin::GlobalAccess& access : kernel.accesses) {
    std::vector<Frame> chain = Resolve(access.frames, source).chain;
    if (!chain.empty() && chain.back().function == kernel.name) return std::move(chain.back());
  }
  return std::nullopt;
}

std::string DefinedName(std::string_view mangled) {
  const std::string base = BaseName(Demangle(mangled));
  return base.substr(base.rfind(':') + 1);  // npos: all of it
}

std::vector<std::string> ParameterNamesOf(const cubin::Function& kernel,
                                          const std::vector<ptx::Parameter>& parameters,
                                          const SourceView& source,
                                          const cubin::SourceStamps& stamps) {
  const std::optional<Frame> line = LineInBody(kernel, source);
  if (!line || !IsAsCompiled(line->file, source, stamps)) return {};
  CompiledParameters compiled{address::ParameterTypes(Demangle(kernel.name)), {}};
  for (const ptx::Parameter& one : parameters) compiled.bytes.push_back(one.bytes);
  return ParameterNames(source.text, {line->file, line->line}, DefinedName(kernel.name), compiled);
}

std::string LineName(const std::optional<Frame>& line, std::string_view file,
                     std::uint32_t ptx_line) {
  if (!line) return fmt::format("line {} of the PTX", ptx_line);
  if (line->file == file) return fmt::format("line {}", line->line);
  const std::size_t slash = line->file.rfind('/');
  const std::string_view name = std::string_view(line->file).substr(slash + 1);  // npos: all of it
  return fmt::format("{}:{}", name, line->line);
}

}  // namespace coalcheck::findings

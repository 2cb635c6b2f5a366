// SPDX-License-Identifier: Apache-2.0
//
// Describes each place in words that survive a rebuild, and hashes the words.
#include "libcoalcheck/findings/places/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/base/identifier.h"
#include "libcoalcheck/cubin/line_shown.h"
#include "libcoalcheck/findings/places/places.h"

namespace coalcheck::findings {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

bool IsWord(char c) { return IsOfIdentifier(c) || static_cast<unsigned char>(c) >= 0x80; }

// Up to a comment that lasts to the end. What stands in quotes is no comment.
std::string_view WithoutComment(std::string_view line) {
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != 0) {
      if (c == '\\') ++at;
      if (c == quote) quote = 0;
    } else if (c == '"' || (c == '\'' && (at == 0 || !IsWord(line[at - 1])))) {
      quote = c;  // 1'000 is a number
    } else if (line.substr(at).starts_with("//")) {
      return line.substr(0, at);
    }
  }
  return line;
}

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// nvcc names internal entities of a file after the file, its path and its first function, either as
// a namespace or as a prefix: "__nv_static_24_" and 24 characters, then "_" and the name itself.
bool IsInternalNamespace(std::string_view part) { return part.starts_with("_INTERNAL_"); }

std::string_view WithoutStaticPrefix(std::string_view mangled) {
  constexpr std::string_view kPrefix = "__nv_static_";
  if (!mangled.starts_with(kPrefix)) return mangled;
  std::string_view rest = mangled.substr(kPrefix.size());
  std::size_t length = 0;
  const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), length);
  rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
  const bool fits = parsed.ec == std::errc() && length < rest.size() && rest.size() - length > 2;
  return fits ? rest.substr(length + 2) : mangled;
}

// What the frames of a place say that survives. Lines of installed headers are the compiler's.
struct Description {
  std::string anchor;
  std::string text;  // of all lines
  std::string line;  // of the line shown
};

std::string TextOf(const Frame& frame, cubin::SourceText& sources) {
  const std::optional<std::string> line = sources.Line(frame.file, frame.line);
  return line ? NormalizedLine(*line) : "";
}

// Whether the result of an atomic is unused is seen in one build and not in another.
cubin::AccessKind StableKind(cubin::AccessKind kind) {
  return kind == cubin::AccessKind::kReduction ? cubin::AccessKind::kAtomic : kind;
}

Description DescriptionOf(const Access& access, const std::string& kernel,
                          cubin::SourceText& sources) {
  Description description;
  description.anchor = fmt::format("{}\n{}\n", cubin::ToString(StableKind(access.kind)), kernel);
  if (access.shown) {
    description.anchor += FileName(access.shown->file);
    description.line = TextOf(*access.shown, sources);
    description.text = description.line;
  }
  for (const Frame& frame : access.chain) {
    if (access.chain.size() < 2 || cubin::IsInstalledFile(frame.file)) continue;
    description.anchor +=
        fmt::format("\n{} {}", StableKernelName(frame.function), FileName(frame.file));
    if (frame != access.shown) description.text += "\n" + TextOf(frame, sources);
  }
  return description;
}

// Where a place lies in the source, or in the machine code if that is all that is known.
auto PositionOf(const Access& access) {
  std::vector<std::pair<std::string, std::uint32_t>> lines;
  for (const Frame& frame : access.chain) lines.emplace_back(frame.file, frame.line);
  const Frame shown = access.shown.value_or(Frame{});
  const PcOffset pc = access.instructions.empty() ? PcOffset() : access.instructions.front().pc;
  return std::make_tuple(shown.file, shown.line, std::move(lines), access.kernel, pc);
}

}  // namespace

std::string NormalizedLine(std::string_view line) {
  std::string normalized;
  bool blank_before = false;
  for (const char c : WithoutComment(line)) {
    if (IsBlank(c)) {
      blank_before = true;
      continue;
    }
    if (blank_before && !normalized.empty() && IsWord(normalized.back()) && IsWord(c)) {
      normalized += ' ';
    }
    blank_before = false;
    normalized += c;
  }
  return normalized;
}

std::string StableKernelName(std::string_view mangled) {
  const std::string name = BaseName(Demangle(WithoutStaticPrefix(mangled)));
  std::string stable;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find("::", at), name.size());
    const std::string_view part = std::string_view(name).substr(at, end - at);
    at = end == name.size() ? end : end + 2;
    if (IsInternalNamespace(part)) continue;
    if (!stable.empty()) stable += "::";
    stable += part;
  }
  return stable.empty() ? name : stable;
}

void IdentifyPlaces(cubin::SourceText& sources, Report& report) {
  std::map<std::string, std::vector<Place*>> alike;
  for (Place& place : report.places) {
    const Access& access = report.accesses[place.accesses.front()];
    place.identity.kernel = StableKernelName(access.kernel);
    const Description description = DescriptionOf(access, place.identity.kernel, sources);
    place.identity.anchor = FingerprintOf(description.anchor);
    place.identity.text = description.line;
    alike[description.anchor + "\n\n" + description.text].push_back(&place);
  }
  const auto position = [&](const Place* place) {
    return PositionOf(report.accesses[place->accesses.front()]);
  };
  for (auto& [description, places] : alike) {
    std::ranges::stable_sort(places, std::less(), position);
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i]->identity.fingerprint = FingerprintOf(fmt::format("{}\n\n{}", description, i));
    }
  }
}

}  // namespace coalcheck::findings

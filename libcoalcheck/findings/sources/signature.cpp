// SPDX-License-Identifier: Apache-2.0
//
// Reads no C++, but a list of parameters: each a type and a name, with commas between them.
#include "libcoalcheck/findings/sources/signature.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "libcoalcheck/base/identifier.h"

namespace coalcheck::findings {
namespace {

constexpr std::uint32_t kMostLinesUp = 400;
constexpr std::uint32_t kPointerBytes = 8;
constexpr std::size_t kMostSignature = std::size_t{64} * 1024;  // bytes that are looked at
constexpr int kMostCandidates = 64;                             // places where the name stands

std::string WithoutComments(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i), text.size() - 1) + 1;
      plain.append(static_cast<std::size_t>(
                       std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                   '\n');
      plain += ' ';
      i = end;
      continue;
    }
    if (i < text.size()) plain += text[i];
  }
  return plain;
}

// The lines up to the place, joined.
std::string TextBefore(cubin::SourceText& sources, const PlaceInBody& place) {
  std::string text;
  const std::uint32_t first = place.line > kMostLinesUp ? place.line - kMostLinesUp : 1;
  for (std::uint32_t line = first; line <= place.line; ++line) {
    const auto one = sources.Line(place.file, line);
    if (!one) return {};
    text += *one + '\n';
    if (text.size() > kMostSignature) text.erase(0, text.size() - kMostSignature);
  }
  return WithoutComments(text);
}

// Behind the bracket that closes the one at `open`; npos when none does.
std::size_t Behind(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{') ++depth;
    if (text[i] == ')' || text[i] == '}') --depth;
    if (depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

struct Definition {
  std::size_t at = 0;  // of its name, in the text
  std::string_view parameters;
};

// The last definition of `name` whose body does not end before the last line of `text`.
std::optional<Definition> DefinitionOf(std::string_view text, std::string_view name) {
  int left = kMostCandidates;
  const std::size_t last_line = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t at = text.rfind(name);
       at != std::string_view::npos && !name.empty() && left-- > 0;
       at = at == 0 ? std::string_view::npos : text.rfind(name, at - 1)) {
    const std::size_t end = at + name.size();
    const bool is_word = (at == 0 || !IsOfIdentifier(text[at - 1])) &&
                         (end >= text.size() || !IsOfIdentifier(text[end]));
    const std::size_t open = text.find_first_not_of(" \t\r\n", end);
    if (!is_word || open == std::string_view::npos || text[open] != '(') continue;
    const std::size_t behind = Behind(text, open);
    if (behind == std::string_view::npos) continue;
    const std::size_t body = text.find_first_not_of(" \t\r\n", behind);
    const bool is_open =
        body != std::string_view::npos && text[body] == '{' && Behind(text, body) > last_line;
    if (is_open) return Definition{at, text.substr(open + 1, behind - open - 2)};
  }
  return std::nullopt;
}

struct Parameter {
  std::string type;  // its words, one blank between them, without qualifiers
  std::string name;
  bool is_pointer = false;
};

bool IsQualifier(std::string_view word) {
  constexpr std::array<std::string_view, 8> kQualifiers = {
      "const",    "volatile", "__restrict__",      "__restrict",
      "restrict", "struct",   "__grid_constant__", "typename"};
  return std::ranges::find(kQualifiers, word) != kQualifiers.end();
}

std::vector<std::string> WordsIn(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    if (!IsOfIdentifier(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && IsOfIdentifier(text[end])) ++end;
    words.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

Parameter Read(std::string_view text) {
  text = text.substr(0, text.find('='));
  Parameter parameter;
  parameter.is_pointer = text.find_first_of("*[") != std::string_view::npos;
  if (text.find('[') != std::string_view::npos) text = text.substr(0, text.find('['));
  std::vector<std::string> words = WordsIn(text);
  std::erase_if(words, [](const std::string& word) { return IsQualifier(word); });
  if (words.size() < 2) return {};  // no name, or no type
  parameter.name = words.back();
  words.pop_back();
  for (const std::string& word : words)
    parameter.type += (parameter.type.empty() ? "" : " ") + word;
  return parameter;
}

std::vector<Parameter> Split(std::string_view list) {
  std::vector<Parameter> parameters;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '<' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == '}') --depth;
    if (c != ',' || (depth != 0 && i < list.size())) continue;
    parameters.push_back(Read(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parameters;
}

// Of types of the language: what they are called when they are demangled, and their bytes.
std::optional<std::pair<std::string, std::uint32_t>> BuiltIn(const std::string& type) {
  constexpr std::array<std::pair<std::string_view, std::pair<std::string_view, std::uint32_t>>, 18>
      kTypes = {{{"float", {"float", 4}},
                 {"double", {"double", 8}},
                 {"bool", {"bool", 1}},
                 {"char", {"char", 1}},
                 {"unsigned char", {"unsigned char", 1}},
                 {"short", {"short", 2}},
                 {"int", {"int", 4}},
                 {"unsigned", {"unsigned int", 4}},
                 {"unsigned int", {"unsigned int", 4}},
                 {"long", {"long", 8}},
                 {"unsigned long", {"unsigned long", 8}},
                 {"long long", {"long long", 8}},
                 {"unsigned long long", {"unsigned long long", 8}},
                 {"int32_t", {"int", 4}},
                 {"uint32_t", {"unsigned int", 4}},
                 {"int64_t", {"long", 8}},
                 {"uint64_t", {"unsigned long", 8}},
                 {"size_t", {"unsigned long", 8}}}};
  const auto found = std::ranges::find(kTypes, type, [](const auto& one) { return one.first; });
  if (found == kTypes.end()) return std::nullopt;
  return std::pair(std::string(found->second.first), found->second.second);
}

// The type that a pointer points to, or the type itself, without qualifiers: "float".
std::string Bare(const std::string& demangled) {
  std::vector<std::string> words = WordsIn(demangled);
  std::erase_if(words, [](const std::string& word) { return IsQualifier(word); });
  std::string bare;
  for (const std::string& word : words) bare += (bare.empty() ? "" : " ") + word;
  return bare;
}

bool Fits(const Parameter& parameter, const std::string* type, std::uint32_t bytes) {
  if (parameter.name.empty()) return false;
  const auto known = BuiltIn(parameter.type);
  if (parameter.is_pointer && bytes != kPointerBytes) return false;
  if (!parameter.is_pointer && known && known->second != bytes) return false;
  if (type == nullptr) return true;
  // The name of a type may stand for a pointer, and a template's for anything.
  const bool is_pointer = type->ends_with('*');
  if (known && is_pointer != parameter.is_pointer) return false;
  if (parameter.is_pointer && !is_pointer) return false;
  return !known || Bare(*type) == known->first;
}

}  // namespace

std::vector<std::string> ParameterNames(cubin::SourceText& sources, const PlaceInBody& place,
                                        std::string_view name, const CompiledParameters& compiled) {
  const std::string text = TextBefore(sources, place);
  const auto definition = DefinitionOf(text, name);
  if (!definition || definition->parameters.find('#') != std::string_view::npos) return {};
  const std::vector<Parameter> parameters = Split(definition->parameters);
  const bool has_types = !compiled.types.empty();
  if (parameters.size() != compiled.bytes.size()) return {};
  if (has_types && compiled.types.size() != parameters.size()) return {};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string* type = has_types ? &compiled.types[i] : nullptr;
    if (!Fits(parameters[i], type, compiled.bytes[i])) return {};
    names.push_back(parameters[i].name);
  }
  const std::set<std::string> different(names.begin(), names.end());
  return different.size() == names.size() ? names : std::vector<std::string>();
}

std::optional<std::uint32_t> DefinitionLine(cubin::SourceText& sources, const PlaceInBody& place,
                                            std::string_view name) {
  const std::string text = TextBefore(sources, place);
  const auto definition = DefinitionOf(text, name);
  if (!definition) return std::nullopt;
  // The text ends behind the line of the place.
  const auto behind =
      std::count(text.begin() + static_cast<std::ptrdiff_t>(definition->at), text.end(), '\n');
  return place.line - static_cast<std::uint32_t>(behind) + 1;
}

}  // namespace coalcheck::findings

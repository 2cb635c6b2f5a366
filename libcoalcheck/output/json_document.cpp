// SPDX-License-Identifier: Apache-2.0
//
// The library's text, gone over once more.
#include "libcoalcheck/output/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "libcoalcheck/base/character.h"

namespace coalcheck::output {
namespace {

using Json = nlohmann::ordered_json;

// As JSON writes it: beyond U+FFFF two escapes.
void AppendEscape(std::string& out, char32_t character) {
  if (character < 0x10000) {
    out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(character));
    return;
  }
  const std::uint32_t beyond = character - 0x10000;
  out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (beyond >> 10U), 0xDC00 + (beyond & 0x3FFU));
}

// What may begin something to escape: everything else is written as it is.
bool MayBegin(char c) { return c == '#' || static_cast<unsigned char>(c) >= 0x7F; }

std::string Indented(const std::string& text, std::size_t spaces) {
  std::string indented;
  indented.reserve(text.size() + text.size() / 2);
  std::size_t copied = 0;
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', copied)) {
    indented.append(text, copied, at + 1 - copied).append(spaces, ' ');
    copied = at + 1;
  }
  return indented.append(text, copied);
}

}  // namespace

// Outside of strings there is nothing to escape, and in them an escape means the same.
std::string JsonText(const Json& value, int indent) {
  const std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  auto copied = text.begin();
  for (auto at = std::find_if(copied, text.end(), MayBegin); at != text.end();
       at = std::find_if(at, text.end(), MayBegin)) {
    const std::string_view rest(at, text.end());
    const std::string_view character = rest.substr(0, CharacterLength(rest));
    const bool is_command = rest.starts_with("##");
    if (is_command) ++at;  // "##" is written as "#" and an escaped one
    const bool is_escaped = is_command || IsHidden(CodePoint(character));
    if (is_escaped) {
      escaped.append(copied, at);
      AppendEscape(escaped, CodePoint(character));
    }
    at += static_cast<std::ptrdiff_t>(character.size());
    if (is_escaped) copied = at;
  }
  return escaped.append(copied, text.end());
}

void JsonDocument::Key(std::string_view key) {
  out_ << (empty_ ? "{\n  \"" : ",\n  \"") << key << "\": ";
  empty_ = false;
}

void JsonDocument::Add(std::string_view key, const Json& value) {
  Key(key);
  out_ << Indented(JsonText(value, 2), 2);
}

void JsonDocument::Element(const Json& value, bool is_first) {
  out_ << (is_first ? "[\n    " : ",\n    ") << Indented(JsonText(value, 2), 4);
}

void JsonDocument::End() { out_ << (empty_ ? "{}\n" : "\n}\n"); }

}  // namespace coalcheck::output

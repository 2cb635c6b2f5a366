// SPDX-License-Identifier: Apache-2.0
//
// The library's text, gone over once more.
#include "libcoalcheck/output/json_document.h"

#include <utility>

namespace coalcheck::output {
namespace {

using Json = nlohmann::ordered_json;

// These bytes stand in strings only, where an escape means the same.
constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
    {"\u061C", "\\u061c"}, {"\u200E", "\\u200e"}, {"\u200F", "\\u200f"}, {"\u2028", "\\u2028"},
    {"\u2029", "\\u2029"}, {"\u202A", "\\u202a"}, {"\u202B", "\\u202b"}, {"\u202C", "\\u202c"},
    {"\u202D", "\\u202d"}, {"\u202E", "\\u202e"}, {"\u2066", "\\u2066"}, {"\u2067", "\\u2067"},
    {"\u2068", "\\u2068"}, {"\u2069", "\\u2069"}, {"##", "#\\u0023"}};

// Null when `text` begins with none of them.
const std::pair<std::string_view, std::string_view>* EscapeAt(std::string_view text) {
  for (const auto& escape : kEscapes) {
    if (text.starts_with(escape.first)) return &escape;
  }
  return nullptr;
}

std::string Indented(const std::string& text, std::size_t spaces) {
  std::string indented;
  for (const char c : text) {
    indented += c;
    if (c == '\n') indented.append(spaces, ' ');
  }
  return indented;
}

}  // namespace

std::string JsonText(const Json& value, int indent) {
  const std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  std::size_t copied = 0;
  // Each of them begins with one of these bytes.
  for (std::size_t at = text.find_first_of("#\xD8\xE2"); at != std::string::npos;
       at = text.find_first_of("#\xD8\xE2", at)) {
    const auto* escape = EscapeAt(std::string_view(text).substr(at));
    if (escape == nullptr) {
      ++at;
      continue;
    }
    escaped.append(text, copied, at - copied).append(escape->second);
    at = copied = at + escape->first.size();
  }
  return escaped.append(text, copied);
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

// SPDX-License-Identifier: Apache-2.0
//
// RapidJSON, told to be strict.
#include "libcoalcheck/recording/parse_json.h"

#include <algorithm>

namespace coalcheck::recording {
namespace {

// Without recursion, and refusing bytes that are no UTF-8. Not with kParseFullPrecisionFlag, whose
// tables are read out of bounds for some numbers near the smallest (RapidJSON 1.1.0): whole
// nanoseconds, all that a clock has, are exact without it.
constexpr unsigned kHowToParse =
    rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;

// Half of a pair may stand as an escape (\udc00), which RapidJSON lets pass; it is no character.
bool HasSurrogate(std::string_view text) {
  for (std::size_t at = text.find('\xED'); at != std::string_view::npos;
       at = text.find('\xED', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return true;
  }
  return false;
}

}  // namespace

JsonSize SizeOfJson(std::string_view text) {
  JsonSize size{1, 0};
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      ++size.values;
      size.depth = std::max(size.depth, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' || c == ':') {
      ++size.values;
    }
  }
  return size;
}

rapidjson::Document ParseJson(std::string_view text) {
  rapidjson::Document document;
  // RapidJSON would take a zero byte for the end.
  if (text.find('\0') != std::string_view::npos) return document;
  document.Parse<kHowToParse>(text.data(), text.size());
  if (document.HasParseError()) document.SetNull();
  return document;
}

const rapidjson::Value* FieldOf(const rapidjson::Value& value, std::string_view key) {
  if (!value.IsObject()) return nullptr;
  const rapidjson::Value name(
      rapidjson::StringRef(key.data(), static_cast<rapidjson::SizeType>(key.size())));
  const auto found = value.FindMember(name);
  return found == value.MemberEnd() ? nullptr : &found->value;
}

std::optional<std::string_view> TextOf(const rapidjson::Value& value) {
  if (!value.IsString()) return std::nullopt;
  const std::string_view text(value.GetString(), value.GetStringLength());
  return HasSurrogate(text) ? std::nullopt : std::optional(text);
}

bool HasText(const rapidjson::Value& value, std::string_view key, std::string_view text) {
  const rapidjson::Value* field = FieldOf(value, key);
  return field != nullptr && TextOf(*field) == text;
}

}  // namespace coalcheck::recording

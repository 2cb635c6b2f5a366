// SPDX-License-Identifier: Apache-2.0
//
// RapidJSON, told to be strict.
#include "libcoalcheck/recording/parse_json.h"

namespace coalcheck::recording {

// Without recursion, refusing strings that are no UTF-8, and with every digit of a number.
constexpr unsigned kHowToParse = rapidjson::kParseIterativeFlag |
                                 rapidjson::kParseValidateEncodingFlag |
                                 rapidjson::kParseFullPrecisionFlag;

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
  return std::string_view(value.GetString(), value.GetStringLength());
}

bool HasText(const rapidjson::Value& value, std::string_view key, std::string_view text) {
  const rapidjson::Value* field = FieldOf(value, key);
  return field != nullptr && TextOf(*field) == text;
}

}  // namespace coalcheck::recording

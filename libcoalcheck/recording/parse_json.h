// SPDX-License-Identifier: Apache-2.0
//
// Parses JSON that is not trusted, and reads single values of it.
#pragma once

#include <rapidjson/document.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace coalcheck::recording {

struct JsonSize {
  std::size_t values = 0;  // names among them; each takes 16 bytes, and up to 48 while it is parsed
  int depth = 0;           // of arrays and objects
};

// What parsing `text`, if it is JSON, would take; nothing is built.
JsonSize SizeOfJson(std::string_view text);

// The document in `text`; null if it is not JSON. Deep nesting does not exhaust the stack: parsing
// does not recurse, and the document's memory is freed at once.
rapidjson::Document ParseJson(std::string_view text);

// The field of that name, the first of several; null where `value` is no object or has none.
const rapidjson::Value* FieldOf(const rapidjson::Value& value, std::string_view key);

// The characters of a string; empty for any other value, and for what is no UTF-8.
std::optional<std::string_view> TextOf(const rapidjson::Value& value);

// Whether the field is there and that text.
bool HasText(const rapidjson::Value& value, std::string_view key, std::string_view text);

}  // namespace coalcheck::recording

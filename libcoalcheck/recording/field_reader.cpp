// SPDX-License-Identifier: Apache-2.0
//
// Type and range checks of single fields.
#include "libcoalcheck/recording/field_reader.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "libcoalcheck/recording/json_text.h"

namespace coalcheck::recording {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMostSmall = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FieldReader::FieldReader(const nlohmann::json& object, std::string& problem)
    : object_(object), problem_(problem) {
  if (!object.is_object() && problem_.empty()) problem_ = "an element is no object";
}

const nlohmann::json* FieldReader::Find(const char* key, bool required) {
  if (object_.is_object()) {
    if (const auto found = object_.find(key); found != object_.end()) return &*found;
  }
  if (required && problem_.empty()) problem_ = fmt::format("\"{}\" is missing", key);
  return nullptr;
}

void FieldReader::Refuse(const char* key, std::string_view expected) {
  if (problem_.empty()) problem_ = fmt::format("\"{}\" is not {}", key, expected);
}

std::string FieldReader::TextOf(const char* key, bool required) {
  const nlohmann::json* value = Find(key, required);
  if (value == nullptr) return {};
  if (const auto* text = value->get_ptr<const std::string*>()) return RestoreBytes(*text);
  Refuse(key, "a string");
  return {};
}

std::string FieldReader::Text(const char* key) { return TextOf(key, true); }
std::string FieldReader::OptionalText(const char* key) { return TextOf(key, false); }

std::vector<std::string> FieldReader::TextsOf(const char* key, bool required) {
  std::vector<std::string> texts;
  const nlohmann::json* value = Find(key, required);
  if (value == nullptr) return texts;
  if (!value->is_array()) Refuse(key, "an array of strings");
  for (const nlohmann::json& element : *value) {
    const auto* text = element.get_ptr<const std::string*>();
    if (text == nullptr) {
      Refuse(key, "an array of strings");
      return {};
    }
    texts.push_back(RestoreBytes(*text));
  }
  return texts;
}

std::vector<std::string> FieldReader::Texts(const char* key) { return TextsOf(key, true); }
std::vector<std::string> FieldReader::OptionalTexts(const char* key) { return TextsOf(key, false); }

std::uint64_t FieldReader::NumberUpTo(const char* key, std::uint64_t most, bool required) {
  const nlohmann::json* value = Find(key, required);
  if (value == nullptr) return 0;
  if (value->is_number_unsigned()) {
    if (const auto number = value->get<std::uint64_t>(); number <= most) return number;
  }
  Refuse(key, fmt::format("a whole number from 0 to {}", most));
  return 0;
}

std::uint64_t FieldReader::Number(const char* key) { return NumberUpTo(key, kMost, true); }
std::uint64_t FieldReader::OptionalNumber(const char* key) { return NumberUpTo(key, kMost, false); }

std::uint32_t FieldReader::SmallNumber(const char* key) {
  return static_cast<std::uint32_t>(NumberUpTo(key, kMostSmall, true));
}

std::uint32_t FieldReader::OptionalSmallNumber(const char* key) {
  return static_cast<std::uint32_t>(NumberUpTo(key, kMostSmall, false));
}

double FieldReader::Seconds(const char* key) {
  const nlohmann::json* value = Find(key, true);
  if (value == nullptr) return 0;
  const double seconds = value->is_number() ? value->get<double>() : -1;
  if (std::isfinite(seconds) && seconds >= 0) return seconds;
  Refuse(key, "a number of seconds");
  return 0;
}

CubinId FieldReader::Cubin(const char* key) {
  const std::optional<CubinId> id = CubinOrNull(key);
  if (!id) Refuse(key, "sixteen lower-case hexadecimal digits");
  return id.value_or(CubinId());
}

std::optional<CubinId> FieldReader::CubinOrNull(const char* key) {
  const nlohmann::json* value = Find(key, true);
  if (value == nullptr || value->is_null()) return std::nullopt;
  const auto* text = value->get_ptr<const std::string*>();
  const std::optional<CubinId> id = text == nullptr ? std::nullopt : CubinIdFromHex(*text);
  if (!id) Refuse(key, "sixteen lower-case hexadecimal digits");
  return id;
}

Dim3 FieldReader::Dim(const char* key) {
  std::array<std::uint32_t, 3> sizes = {1, 1, 1};
  std::size_t count = 0;
  ForEach(key, [&](const nlohmann::json& element) {
    const bool fits = element.is_number_unsigned() && element.get<std::uint64_t>() <= kMostSmall;
    if (!fits || count == sizes.size()) return Refuse(key, "three 32-bit sizes");
    sizes[count++] = element.get<std::uint32_t>();
  });
  if (count != sizes.size()) Refuse(key, "three 32-bit sizes");
  return {sizes[0], sizes[1], sizes[2]};
}

LaunchShape FieldReader::Shape() {
  LaunchShape shape;
  shape.kernel = Text("kernel");
  shape.grid = Dim("grid");
  shape.block = Dim("block");
  shape.ranges = RangeSetId(OptionalSmallNumber("ranges"));
  return shape;
}

void FieldReader::ForEach(const char* key, const std::function<void(const nlohmann::json&)>& each) {
  const nlohmann::json* value = Find(key, true);
  if (value == nullptr) return;
  if (!value->is_array()) return Refuse(key, "an array");
  for (const nlohmann::json& element : *value) {
    if (!problem_.empty()) return;
    each(element);
  }
}

}  // namespace coalcheck::recording

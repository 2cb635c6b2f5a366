// SPDX-License-Identifier: Apache-2.0
//
// Type and range checks of single fields.
#include "libcoalcheck/recording/field_reader.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "libcoalcheck/base/launch_limits.h"
#include "libcoalcheck/base/short_name.h"
#include "libcoalcheck/recording/json_text.h"

namespace coalcheck::recording {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMostSmall = std::numeric_limits<std::uint32_t>::max();

// -1: none.
int HexDigit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

}  // namespace

FieldReader::FieldReader(const rapidjson::Value& object, std::string& problem)
    : object_(object), problem_(problem) {
  if (!object.IsObject() && problem_.empty()) problem_ = "an element is no object";
}

const rapidjson::Value* FieldReader::Find(const char* key, bool required) {
  if (const rapidjson::Value* found = FieldOf(object_, key)) return found;
  if (required && problem_.empty()) problem_ = fmt::format("\"{}\" is missing", key);
  return nullptr;
}

void FieldReader::Refuse(const char* key, std::string_view expected) {
  if (problem_.empty()) problem_ = fmt::format("\"{}\" is not {}", key, expected);
}

std::string FieldReader::TextAt(const char* key, bool required) {
  const rapidjson::Value* value = Find(key, required);
  if (value == nullptr) return {};
  if (const std::optional<std::string_view> text = TextOf(*value)) return RestoreBytes(*text);
  Refuse(key, "a string");
  return {};
}

std::string FieldReader::Text(const char* key) { return TextAt(key, true); }
std::string FieldReader::FunctionName(const char* key) { return ShortName(Text(key)); }
std::string FieldReader::OptionalText(const char* key) { return TextAt(key, false); }

std::vector<std::string> FieldReader::TextsAt(const char* key, bool required) {
  std::vector<std::string> texts;
  const rapidjson::Value* value = Find(key, required);
  if (value == nullptr) return texts;
  bool all_are_texts = value->IsArray();
  if (all_are_texts) {
    for (const rapidjson::Value& element : value->GetArray()) {
      const std::optional<std::string_view> text = TextOf(element);
      all_are_texts = all_are_texts && text;
      if (text) texts.push_back(RestoreBytes(*text));
    }
  }
  if (all_are_texts) return texts;
  Refuse(key, "an array of strings");
  return {};
}

std::vector<std::string> FieldReader::Texts(const char* key) { return TextsAt(key, true); }
std::vector<std::string> FieldReader::OptionalTexts(const char* key) { return TextsAt(key, false); }

std::uint64_t FieldReader::NumberUpTo(const char* key, std::uint64_t most, bool required) {
  const rapidjson::Value* value = Find(key, required);
  if (value == nullptr) return 0;
  if (value->IsUint64() && value->GetUint64() <= most) return value->GetUint64();
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

bool FieldReader::Flag(const char* key) {
  const rapidjson::Value* value = Find(key, true);
  if (value != nullptr && !value->IsBool()) Refuse(key, "true or false");
  return IsTrue(key);
}

bool FieldReader::IsNull(const char* key) const {
  const rapidjson::Value* value = FieldOf(object_, key);
  return value != nullptr && value->IsNull();
}

bool FieldReader::IsTrue(const char* key) const {
  const rapidjson::Value* value = FieldOf(object_, key);
  return value != nullptr && value->IsTrue();
}

double FieldReader::Seconds(const char* key) {
  const rapidjson::Value* value = Find(key, true);
  if (value == nullptr) return 0;
  const double seconds = value->IsNumber() ? value->GetDouble() : -1;
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
  const rapidjson::Value* value = Find(key, true);
  if (value == nullptr || value->IsNull()) return std::nullopt;
  const std::optional<std::string_view> text = TextOf(*value);
  const std::optional<CubinId> id = text ? CubinIdFromHex(*text) : std::nullopt;
  if (!id) Refuse(key, "sixteen lower-case hexadecimal digits");
  return id;
}

std::string FieldReader::HexBytes(const char* key) {
  const rapidjson::Value* value = Find(key, true);
  if (value == nullptr) return {};
  const std::string_view digits = TextOf(*value).value_or("-");
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
    const int high = HexDigit(digits[at]);
    const int low = HexDigit(digits[at + 1]);
    if (high < 0 || low < 0) break;
    bytes += static_cast<char>(high * 16 + low);
  }
  if (2 * bytes.size() == digits.size()) return bytes;
  Refuse(key, "pairs of lower-case hexadecimal digits");
  return {};
}

Dim3 FieldReader::Dim(const char* key) {
  std::array<std::uint32_t, 3> sizes = {1, 1, 1};
  std::size_t count = 0;
  ForEach(key, [&](const rapidjson::Value& element) {
    if (!element.IsUint() || count == sizes.size()) return Refuse(key, "three 32-bit sizes");
    sizes[count++] = element.GetUint();
  });
  if (count != sizes.size()) Refuse(key, "three 32-bit sizes");
  return {sizes[0], sizes[1], sizes[2]};
}

FieldReader::Threads FieldReader::GridAndBlock() {
  const Threads read{Dim("grid"), Dim("block")};
  const auto fits = [](const Dim3& dim, const std::uint32_t(&largest)[3]) {
    const bool is_empty = dim.x == 0 || dim.y == 0 || dim.z == 0;
    return !is_empty && dim.x <= largest[0] && dim.y <= largest[1] && dim.z <= largest[2];
  };
  const auto& [grid, block] = read;
  const bool is_taken = fits(grid, kLargestGrid) && fits(block, kLargestBlock) &&
                        block.x * block.y * block.z <= kMostThreadsOfBlock;
  // Launches of which nobody knows the shape have neither.
  const auto all_of_both = grid.x | grid.y | grid.z | block.x | block.y | block.z;
  const bool is_unknown = all_of_both == 0;
  if (is_unknown || is_taken) return read;
  Refuse("block", "of a size that a GPU takes, as the grid is");
  return {};
}

LaunchShape FieldReader::Shape() {
  LaunchShape shape;
  shape.kernel = FunctionName("kernel");
  const Threads threads = GridAndBlock();
  shape.grid = threads.grid;
  shape.block = threads.block;
  shape.ranges = RangeSetId(OptionalSmallNumber("ranges"));
  return shape;
}

void FieldReader::ForEach(const char* key,
                          const std::function<void(const rapidjson::Value&)>& each) {
  const rapidjson::Value* value = Find(key, true);
  if (value == nullptr) return;
  if (!value->IsArray()) return Refuse(key, "an array");
  for (const rapidjson::Value& element : value->GetArray()) {
    if (!problem_.empty()) return;
    each(element);
  }
}

}  // namespace coalcheck::recording

// SPDX-License-Identifier: Apache-2.0
//
// Takes the fields of a JSON object into typed values, and remembers the first that would not go.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/recording/parse_json.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// Reads one JSON value that should be an object. Every getter returns an empty value for a field
// that is missing or wrong, and notes that in the shared `problem`, which stays empty as long as
// all went well. Getters named Optional accept that the field is missing.
class FieldReader {
 public:
  FieldReader(const rapidjson::Value& object, std::string& problem);

  std::string Text(const char* key);
  std::string OptionalText(const char* key);
  std::string FunctionName(const char* key);  // as ShortName keeps it
  std::vector<std::string> Texts(const char* key);
  std::vector<std::string> OptionalTexts(const char* key);
  std::uint64_t Number(const char* key);
  std::uint64_t OptionalNumber(const char* key);
  std::uint32_t SmallNumber(const char* key);
  std::uint32_t OptionalSmallNumber(const char* key);
  // A number of seconds, finite and not negative.
  double Seconds(const char* key);
  CubinId Cubin(const char* key);
  // Empty when the field is null.
  std::optional<CubinId> CubinOrNull(const char* key);
  LaunchShape Shape();
  Dim3 Dim(const char* key);
  // Of a launch: of sizes that a GPU takes, or both empty.
  struct Threads {
    Dim3 grid, block;
  };
  Threads GridAndBlock();
  // The bytes that pairs of lower-case hexadecimal digits stand for.
  std::string HexBytes(const char* key);

  // Calls `each` with every element of the array `key`.
  void ForEach(const char* key, const std::function<void(const rapidjson::Value&)>& each);

  bool Flag(const char* key);
  // Whether the field is there at all; whether it is there and null, or true.
  bool Has(const char* key) const { return FieldOf(object_, key) != nullptr; }
  bool IsNull(const char* key) const;
  bool IsTrue(const char* key) const;
  // Notes that `key` is not `expected`.
  void Refuse(const char* key, std::string_view expected);

 private:
  const rapidjson::Value* Find(const char* key, bool required);
  std::uint64_t NumberUpTo(const char* key, std::uint64_t most, bool required);
  std::string TextAt(const char* key, bool required);
  std::vector<std::string> TextsAt(const char* key, bool required);

  const rapidjson::Value& object_;
  std::string& problem_;
};

}  // namespace coalcheck::recording

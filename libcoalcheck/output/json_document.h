// SPDX-License-Identifier: Apache-2.0
//
// Writes JSON that holds foreign text, and large objects row by row.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace coalcheck::output {

// Valid UTF-8 whatever the strings hold. Besides what JSON requires, it escapes characters that
// nobody sees, and text that build logs take for commands.
std::string JsonText(const nlohmann::ordered_json& value, int indent);

// An object whose values need not be in memory together: each of a million rows is made, written
// and freed.
class JsonDocument {
 public:
  explicit JsonDocument(std::ostream& out) : out_(out) {}

  void Add(std::string_view key, const nlohmann::ordered_json& value);
  template <typename Rows, typename ToJson>
  void AddEach(std::string_view key, const Rows& rows, ToJson to_json) {
    Key(key);
    bool is_first = true;
    for (const auto& row : rows) {
      Element(to_json(row), is_first);
      is_first = false;
    }
    out_ << (is_first ? "[]" : "\n  ]");
  }
  void End();

 private:
  void Key(std::string_view key);
  void Element(const nlohmann::ordered_json& value, bool is_first);

  std::ostream& out_;
  bool empty_ = true;
};

}  // namespace coalcheck::output

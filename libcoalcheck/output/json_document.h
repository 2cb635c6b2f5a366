// SPDX-License-Identifier: Apache-2.0
//
// JSON with foreign text in it, and a large object of it written as it is made.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace coalcheck::output {

// Valid UTF-8 whatever the strings hold. Escaped beside what JSON wants: what some readers take for
// the end of a line, what turns the direction of text, and what a build's log takes for a command.
std::string JsonText(const nlohmann::ordered_json& value, int indent);

// An object whose values need not be in memory together: of a million rows each is made, written
// and forgotten.
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

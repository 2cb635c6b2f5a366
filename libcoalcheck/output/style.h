// SPDX-License-Identifier: Apache-2.0
//
// Colour, or none.
#pragma once

#include <string>
#include <string_view>

namespace coalcheck::output {

class Style {
 public:
  explicit Style(bool color) : color_(color) {}

  std::string Bold(std::string_view text) const { return Wrap("1", text); }
  std::string Bad(std::string_view text) const { return Wrap("1;35", text); }
  std::string Good(std::string_view text) const { return Wrap("1;32", text); }

 private:
  std::string Wrap(std::string_view code, std::string_view text) const {
    if (!color_) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }

  bool color_;
};

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// The values that a shell can offer, by the placeholder of the value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::cli {

struct ValueChoices {
  std::vector<std::string> words;  // "on", "off"; one that ends in ":" is followed by more
  bool files = false;
  bool folders = false;
  bool programs = false;
};

// "FOLDER" is folders, "FILE|none" files and one word, "auto|every:N" two words, "N" nothing,
// "APP" programs.
// Lower case stands for itself.
ValueChoices ChoicesOf(std::string_view placeholder);

}  // namespace coalcheck::cli

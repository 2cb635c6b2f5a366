// SPDX-License-Identifier: Apache-2.0
//
// Takes the placeholder apart at its bars.
#include "cli/manual/value_choices.h"

#include <algorithm>
#include <array>

#include "libcoalcheck/output/forms/forms.h"

namespace coalcheck::cli {
namespace {

constexpr std::array kFiles = {"FILE", "CUBIN", "PROGRAM", "BASE", "NEW"};
constexpr std::array kFolders = {"FOLDER", "RECORDING"};

bool IsOneOf(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

void AddChoice(std::string_view one, ValueChoices& choices) {
  if (one.starts_with("FORMAT")) {
    for (const output::Format format : output::AllFormats()) {
      choices.words.emplace_back(ToString(format));
    }
  } else if (IsOneOf(one, kFiles)) {
    choices.files = true;
  } else if (IsOneOf(one, kFolders)) {
    choices.folders = true;
  } else if (one == "APP") {
    choices.programs = true;
  } else if (!one.empty() && one[0] >= 'a' && one[0] <= 'z') {
    choices.words.emplace_back(one.substr(0, one.find(':') + 1));
    if (choices.words.back().empty()) choices.words.back() = one;
  }
}

}  // namespace

ValueChoices ChoicesOf(std::string_view placeholder) {
  ValueChoices choices;
  for (std::size_t start = 0; start <= placeholder.size();) {
    const std::size_t end = std::min(placeholder.find('|', start), placeholder.size());
    AddChoice(placeholder.substr(start, end - start), choices);
    start = end + 1;
  }
  return choices;
}

}  // namespace coalcheck::cli

// SPDX-License-Identifier: Apache-2.0
//
// Knows the types whose plural everybody says.
#include "libcoalcheck/findings/words/element_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace coalcheck::findings {

std::string ElementWords(std::string_view type, Bytes width) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 6> kTypes = {
      {{"float", 4}, {"double", 8}, {"int", 4}, {"char", 1}, {"short", 2}, {"long", 8}}};
  while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.remove_suffix(1);
  constexpr std::string_view kConst = " const";
  if (type.ends_with(kConst)) type.remove_suffix(kConst.size());
  const auto found = std::ranges::find_if(
      kTypes, [&](const auto& one) { return one.first == type && one.second == width.count(); });
  if (found != kTypes.end()) return fmt::format("{}s", type);
  if (width == Bytes(0)) return "elements";
  return fmt::format("elements of {} {}", width.count(), width == Bytes(1) ? "byte" : "bytes");
}

}  // namespace coalcheck::findings

// SPDX-License-Identifier: Apache-2.0
//
// Names three at most.
#include "libcoalcheck/findings/words/array_words.h"

#include <fmt/format.h>

namespace coalcheck::findings {
namespace {

std::string ArrayWords(std::uint32_t parameter, const std::vector<std::string>& names) {
  return parameter < names.size() ? fmt::format("`{}`", names[parameter])
                                  : fmt::format("parameter {}", parameter + 1);
}

}  // namespace

std::string ArraysWords(const std::vector<std::uint32_t>& parameters,
                        const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 3;
  const std::size_t named = parameters.size() > kMostNamed ? kMostNamed - 1 : parameters.size();
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    const bool is_last = i > 0 && i + 1 == parameters.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + ArrayWords(parameters[i], names);
  }
  if (named < parameters.size()) text += fmt::format(" and {} others", parameters.size() - named);
  return text;
}

}  // namespace coalcheck::findings

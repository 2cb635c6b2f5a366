// SPDX-License-Identifier: Apache-2.0
//
// The known word that a mistyped one probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::options {

// The word of `known` with the smallest edit distance to `word`; empty when none is near enough
// (more than a third of the letters differ).
std::string Nearest(std::string_view word, std::span<const std::string> known);

// The words of `known` that are nearest to `word`, at most three, the nearest first, however far.
std::vector<std::string> NearestFew(std::string_view word, std::span<const std::string> known);

}  // namespace coalcheck::options

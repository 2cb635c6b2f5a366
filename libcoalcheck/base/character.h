// SPDX-License-Identifier: Apache-2.0
//
// Characters of UTF-8, and those that nobody sees.
#pragma once

#include <cstddef>
#include <string_view>

namespace coalcheck {

// Bytes of the valid UTF-8 character at the start of `text`, which is not empty; 0 when there is
// none.
std::size_t CharacterLength(std::string_view text);

// The number of one valid character.
char32_t CodePoint(std::string_view character);

// Whether it shows nothing of itself: controls, what turns the direction of text, and what Unicode
// calls ignorable by default (zero-width spaces, tags, variation selectors). A name could hide
// something in it, or show as another. Also the two that are no characters, which XML forbids.
bool IsHidden(char32_t character);

}  // namespace coalcheck

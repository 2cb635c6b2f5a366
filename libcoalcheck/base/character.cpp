// SPDX-License-Identifier: Apache-2.0
//
// A table of ranges.
#include "libcoalcheck/base/character.h"

#include <algorithm>
#include <iterator>

namespace coalcheck {
namespace {

struct CharacterRange {
  char32_t first;
  char32_t last;
};

// Ascending. Of Unicode 15: the categories Cc, Cf, Zl and Zp, noncharacters of the first plane,
// the property Default_Ignorable_Code_Point, and characters whose pictures are empty (U+2800,
// U+16FE4, U+1D159).
constexpr CharacterRange kHidden[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},
    {0x0600, 0x0605},   {0x061C, 0x061C},   {0x06DD, 0x06DD},   {0x070F, 0x070F},
    {0x0890, 0x0891},   {0x08E2, 0x08E2},   {0x115F, 0x1160},   {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
    {0x2800, 0x2800},   {0x3164, 0x3164},   {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},
    {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x16FE4, 0x16FE4},
    {0x1BCA0, 0x1BCA3}, {0x1D159, 0x1D159}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

}  // namespace

std::size_t CharacterLength(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (length == 3 && byte(0) == 0xE0 && byte(1) < 0xA0) return 0;  // too long a form
  if (length == 3 && byte(0) == 0xED && byte(1) > 0x9F) return 0;  // surrogates
  if (length == 4 && byte(0) == 0xF0 && byte(1) < 0x90) return 0;  // too long a form
  if (length == 4 && byte(0) == 0xF4 && byte(1) > 0x8F) return 0;  // past the last character
  return length;
}

char32_t CodePoint(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead;
  char32_t number = lead & (0xFFU >> (character.size() + 1));
  for (const char next : character.substr(1)) {
    number = number << 6U | (static_cast<unsigned char>(next) & 0x3FU);
  }
  return number;
}

bool IsHidden(char32_t character) {
  const auto* range = std::ranges::lower_bound(kHidden, character, {}, &CharacterRange::last);
  return range != std::end(kHidden) && range->first <= character;
}

}  // namespace coalcheck

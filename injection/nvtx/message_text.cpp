// SPDX-License-Identifier: Apache-2.0
//
// wchar_t is UTF-32 wherever the agent runs.
#include "injection/nvtx/message_text.h"

#include <cstring>

namespace coalcheck::nvtx {

static_assert(sizeof(wchar_t) == 4);

std::string_view Narrow(const char* text) {
  return text == nullptr ? std::string_view()
                         : std::string_view(text, strnlen(text, kMaxTextBytes));
}

Narrowed::Narrowed(const wchar_t* text) {
  if (text == nullptr) return;
  for (; *text != L'\0' && size_ < kMaxTextBytes; ++text) Add(static_cast<char32_t>(*text));
}

void Narrowed::Add(char32_t character) {
  if (character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF)) character = 0xFFFD;
  const auto put = [this](char32_t byte) { bytes_[size_++] = static_cast<char>(byte); };
  const auto put_rest = [&](unsigned shift) { put(0x80U | ((character >> shift) & 0x3FU)); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0U | (character >> 6U));
    put_rest(0);
  } else if (character < 0x10000) {
    put(0xE0U | (character >> 12U));
    put_rest(6);
    put_rest(0);
  } else {
    put(0xF0U | (character >> 18U));
    put_rest(12);
    put_rest(6);
    put_rest(0);
  }
}

}  // namespace coalcheck::nvtx

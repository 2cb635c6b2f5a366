// SPDX-License-Identifier: Apache-2.0
//
// The escaping, byte by byte: no locale, no exceptions but for want of memory.
#include "libcoalcheck/recording/json_text.h"

#include <cstddef>
#include <cstdint>

namespace coalcheck::recording {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::uint8_t ByteAt(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

// The smallest character that needs `length` bytes; a smaller one is an overlong encoding.
std::uint32_t SmallestOfLength(std::size_t length) {
  return length == 2 ? 0x80U : length == 3 ? 0x800U : 0x10000U;
}

bool IsAllowed(std::uint32_t character, std::size_t length) {
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  const bool stands_for_byte = character >= 0xEF80 && character <= 0xEFFF;
  return character >= SmallestOfLength(length) && character <= 0x10FFFF && !surrogate &&
         !stands_for_byte;
}

// Length of the multi-byte character at `at` when it can be copied as it is, else 0.
std::size_t CharacterLength(std::string_view bytes, std::size_t at) {
  const std::uint8_t lead = ByteAt(bytes, at);
  const std::size_t length = lead >= 0xF8 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC0 || length == 0 || bytes.size() - at < length) return 0;
  std::uint32_t character = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const std::uint8_t next = ByteAt(bytes, at + i);
    if ((next & 0xC0U) != 0x80) return 0;
    character = (character << 6) | (next & 0x3FU);
  }
  return IsAllowed(character, length) ? length : 0;
}

void AppendStandIn(std::string& out, std::uint8_t byte) {
  const std::uint32_t character = 0xEF00U | byte;
  out += static_cast<char>(0xE0U | (character >> 12));
  out += static_cast<char>(0x80U | ((character >> 6) & 0x3FU));
  out += static_cast<char>(0x80U | (character & 0x3FU));
}

bool IsPlain(char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; }

// Of what is not plain.
void AppendEscaped(std::string& out, char c) {
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else {
    out += "\\u00";
    out += kHexDigits[static_cast<std::uint8_t>(c) >> 4];
    out += kHexDigits[static_cast<std::uint8_t>(c) & 0xFU];
  }
}

bool IsStandIn(std::string_view text, std::size_t at) {
  return text.size() - at >= 3 && ByteAt(text, at) == 0xEE &&
         (ByteAt(text, at + 1) == 0xBE || ByteAt(text, at + 1) == 0xBF);
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view bytes) {
  out += '"';
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t begin = at;
    while (at < bytes.size() && IsPlain(bytes[at])) ++at;
    out.append(bytes, begin, at - begin);
    if (at == bytes.size()) break;
    if (ByteAt(bytes, at) < 0x80) {
      AppendEscaped(out, bytes[at++]);
    } else if (const std::size_t length = CharacterLength(bytes, at); length > 0) {
      out.append(bytes, at, length);
      at += length;
    } else {
      AppendStandIn(out, ByteAt(bytes, at++));
    }
  }
  out += '"';
}

std::string RestoreBytes(std::string_view characters) {
  std::string bytes;
  bytes.reserve(characters.size());
  for (std::size_t at = 0; at < characters.size();) {
    if (IsStandIn(characters, at)) {
      const std::uint8_t middle = ByteAt(characters, at + 1) & 0x3FU;
      const std::uint8_t last = ByteAt(characters, at + 2) & 0x3FU;
      bytes += static_cast<char>(static_cast<std::uint8_t>(middle << 6) | last);
      at += 3;
    } else {
      bytes += characters[at++];
    }
  }
  return bytes;
}

}  // namespace coalcheck::recording

// SPDX-License-Identifier: Apache-2.0
//
// Text form and computation of a cubin's identity.
#include "libcoalcheck/base/ids.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>

namespace coalcheck {

std::string ToHex(CubinId id) { return fmt::format("{:016x}", id.value()); }

std::optional<CubinId> CubinIdFromHex(std::string_view hex) {
  if (hex.size() != 16) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : hex) {
    const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (!digit) return std::nullopt;
  }
  std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  return CubinId(value);
}

CubinId HashCubin(std::string_view content) {
  return CubinId(XXH3_64bits(content.data(), content.size()));
}

}  // namespace coalcheck

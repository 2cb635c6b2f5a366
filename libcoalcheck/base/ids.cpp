// SPDX-License-Identifier: Apache-2.0
//
// Text form and computation of the identities that are hashes.
#include "libcoalcheck/base/ids.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>

namespace coalcheck {
namespace {

template <typename Id>
std::string Hex(Id id) {
  return fmt::format("{:016x}", id.value());
}

template <typename Id>
std::optional<Id> FromHex(std::string_view hex) {
  if (hex.size() != 16) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : hex) {
    const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (!digit) return std::nullopt;
  }
  std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  return Id(value);
}

}  // namespace

std::string ToHex(CubinId id) { return Hex(id); }
std::string ToHex(Fingerprint fingerprint) { return Hex(fingerprint); }

std::optional<CubinId> CubinIdFromHex(std::string_view hex) { return FromHex<CubinId>(hex); }
std::optional<Fingerprint> FingerprintFromHex(std::string_view hex) {
  return FromHex<Fingerprint>(hex);
}

CubinId HashCubin(std::string_view content) {
  return CubinId(XXH3_64bits(content.data(), content.size()));
}

Fingerprint FingerprintOf(std::string_view description) {
  return Fingerprint(XXH3_64bits(description.data(), description.size()));
}

}  // namespace coalcheck

// SPDX-License-Identifier: Apache-2.0
//
// Literals by their prefix.
#include "libcoalcheck/ptx/numbers.h"

#include <bit>
#include <charconv>

namespace coalcheck::ptx {
namespace {

std::optional<std::uint64_t> Digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || rest != end || text.empty()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::uint64_t> NumberFromString(std::string_view text) {
  if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"))) {
    return Digits(text.substr(2), 16);
  }
  if (text.size() == 18 && (text.starts_with("0d") || text.starts_with("0D"))) {
    return Digits(text.substr(2), 16);
  }
  if (text.find('.') != std::string_view::npos) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end) return std::nullopt;
    return std::bit_cast<std::uint64_t>(value);
  }
  if (text.ends_with('U')) text.remove_suffix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) return Digits(text.substr(2), 16);
  if (text.starts_with("0b") || text.starts_with("0B")) return Digits(text.substr(2), 2);
  if (text.size() > 1 && text.starts_with('0')) return Digits(text.substr(1), 8);
  return Digits(text, 10);
}

std::uint32_t VersionFromString(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return 0;
  const auto major = Digits(text.substr(0, dot), 10);
  const auto minor = Digits(text.substr(dot + 1), 10);
  if (!major || !minor || *major > 1000 || *minor > 9) return 0;
  return static_cast<std::uint32_t>(*major * 10 + *minor);
}

}  // namespace coalcheck::ptx

// SPDX-License-Identifier: Apache-2.0
//
// Names as ptxas joins them, and what is left of those that are too long to be shown.
#include "libcoalcheck/base/demangle.h"

#include <cstddef>
#include <optional>

#include "libcoalcheck/base/itanium_name.h"

namespace coalcheck {
namespace {

constexpr std::size_t kMaxText = 16384;
constexpr std::size_t kMaxMangled = 65536;
constexpr std::size_t kMaxWhole = 1024;  // longer ones would fill a screen

// "a::b" of `_ZN1a1bI…`, with `<…>` for whatever follows a template name.
std::optional<std::string> QualifiedName(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return std::nullopt;
  const bool nested = mangled.starts_with("_ZN");
  mangled.remove_prefix(nested ? 3 : 2);
  std::string name;
  while (!mangled.empty() && mangled[0] >= '1' && mangled[0] <= '9') {
    std::size_t length = 0;
    while (!mangled.empty() && mangled[0] >= '0' && mangled[0] <= '9' && length < kMaxText) {
      length = length * 10 + static_cast<std::size_t>(mangled[0] - '0');
      mangled.remove_prefix(1);
    }
    if (length > mangled.size() || name.size() + length > kMaxText) return std::nullopt;
    if (!name.empty()) name += "::";
    name += mangled.substr(0, length);
    mangled.remove_prefix(length);
    if (!nested) break;
  }
  if (name.empty()) return std::nullopt;
  if (mangled.starts_with("I")) name += "<…>";
  return name;
}

std::optional<std::string> DemangleWhole(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return std::nullopt;
  return mangled.size() <= kMaxWhole ? ReadItaniumName(mangled) : QualifiedName(mangled);
}

std::string DemangleParts(std::string_view mangled) {
  std::string joined;
  while (true) {
    const std::size_t dollar = mangled.find('$');
    const std::string part(mangled.substr(0, dollar));
    joined += DemangleWhole(part).value_or(part);
    if (dollar == std::string_view::npos || joined.size() > kMaxText) return joined;
    joined += '$';
    mangled.remove_prefix(dollar + 1);
  }
}

}  // namespace

std::string Demangle(std::string_view mangled) {
  mangled = mangled.substr(0, mangled.find('\0'));
  if (mangled.size() > kMaxMangled) return std::string(mangled.substr(0, kMaxText));
  if (mangled.find('$') != std::string_view::npos) return DemangleParts(mangled);
  std::string whole(mangled);
  return DemangleWhole(whole).value_or(whole);
}

}  // namespace coalcheck

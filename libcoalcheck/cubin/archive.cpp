// SPDX-License-Identifier: Apache-2.0
//
// Each member stands behind a header of 60 characters, at an even place. Names are those of GNU's
// `ar`, or of BSD's, which puts long ones before the content.
#include "libcoalcheck/cubin/archive.h"

#include <charconv>
#include <cstddef>

namespace coalcheck::cubin {
namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::size_t kHeader = 60;
constexpr std::size_t kName = 16;
constexpr std::size_t kSizeAt = 48;
constexpr std::size_t kSize = 10;  // digits, blanks behind them
constexpr std::string_view kBsdName = "#1/";
constexpr std::string_view kHeaderEnd = "`\n";

bool IsTable(std::string_view name) {
  return name.starts_with("/ ") || name.starts_with("//") || name.starts_with("/SYM64/") ||
         name.starts_with("__.SYMDEF");
}

std::size_t NumberIn(std::string_view digits) {
  std::size_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return read.ec == std::errc() ? number : std::string_view::npos;
}

// GNU's `ar` ends a name with a slash; of a long one it gives the place in the table of names.
std::string_view NameOf(std::string_view field, std::string_view names) {
  if (field.starts_with('/')) {
    const std::size_t at = NumberIn(field.substr(1));
    if (at >= names.size()) return {};
    field = names.substr(at, names.find('\n', at) - at);
  }
  field = field.substr(0, field.find_last_not_of(' ') + 1);
  if (field.ends_with('/')) field.remove_suffix(1);
  return field;
}

}  // namespace

bool IsArchive(std::string_view bytes) { return bytes.starts_with(kMagic); }

bool VisitMembers(std::string_view bytes, const std::function<void(const Member&)>& visit) {
  if (!IsArchive(bytes)) return false;
  bytes.remove_prefix(kMagic.size());
  std::string_view names;  // the table of long ones
  while (!bytes.empty()) {
    if (bytes.size() < kHeader || !bytes.substr(0, kHeader).ends_with(kHeaderEnd)) return false;
    const std::string_view field = bytes.substr(0, kName);
    const std::size_t size = NumberIn(bytes.substr(kSizeAt, kSize));
    bytes.remove_prefix(kHeader);
    if (size > bytes.size()) return false;
    std::string_view content = bytes.substr(0, size);
    bytes.remove_prefix(size);
    if (field.starts_with("//")) names = content;
    std::string_view name = IsTable(field) ? field : NameOf(field, names);
    if (field.starts_with(kBsdName)) {
      const std::size_t length = NumberIn(field.substr(kBsdName.size()));
      if (length > content.size()) return false;
      name = content.substr(0, length);
      name = name.substr(0, name.find('\0'));
      content.remove_prefix(length);
    }
    if (!IsTable(name)) visit({name, content});
    if (size % 2 != 0 && !bytes.empty()) bytes.remove_prefix(1);
  }
  return true;
}

}  // namespace coalcheck::cubin

// SPDX-License-Identifier: Apache-2.0
//
// Each member stands behind a header of 60 characters, at an even place.
#include "libcoalcheck/cubin/archive.h"

#include <charconv>
#include <cstddef>

namespace coalcheck::cubin {
namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::size_t kHeader = 60;
constexpr std::size_t kSizeAt = 48;  // ten digits, blanks behind them
constexpr std::string_view kHeaderEnd = "`\n";

}  // namespace

bool IsArchive(std::string_view bytes) { return bytes.starts_with(kMagic); }

bool VisitMembers(std::string_view bytes, const std::function<void(std::string_view)>& visit) {
  if (!IsArchive(bytes)) return false;
  bytes.remove_prefix(kMagic.size());
  while (!bytes.empty()) {
    if (bytes.size() < kHeader || !bytes.substr(0, kHeader).ends_with(kHeaderEnd)) return false;
    const char* const digits = bytes.data() + kSizeAt;
    std::size_t size = 0;
    const auto read = std::from_chars(digits, digits + 10, size);
    bytes.remove_prefix(kHeader);
    if (read.ec != std::errc() || size > bytes.size()) return false;
    visit(bytes.substr(0, size));
    bytes.remove_prefix(size);
    if (size % 2 != 0 && !bytes.empty()) bytes.remove_prefix(1);
  }
  return true;
}

}  // namespace coalcheck::cubin

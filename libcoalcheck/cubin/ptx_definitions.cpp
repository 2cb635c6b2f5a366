// SPDX-License-Identifier: Apache-2.0
//
// An instruction writes its first operand: "add.s64 %rd7, %rd4, %rd6;".
#include "libcoalcheck/cubin/ptx_definitions.h"

#include <algorithm>
#include <iterator>

namespace coalcheck::cubin {
namespace {

// The register at the start of `text`; empty when it starts with something else.
std::string_view RegisterAt(std::string_view text) {
  if (!text.starts_with('%')) return {};
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
  };
  const auto end = std::find_if_not(text.begin() + 1, text.end(), is_part);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// The first operand, where it is a register that is written; a predicate in front is passed over.
std::string_view WrittenRegister(std::string_view line) {
  if (line.starts_with('@')) line.remove_prefix(std::min(line.find(' '), line.size() - 1) + 1);
  if (line.starts_with("st.") || line.starts_with("red.")) return {};
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return {};
  const std::size_t operand = line.find_first_not_of(" \t", blank);
  return operand == std::string_view::npos ? std::string_view() : RegisterAt(line.substr(operand));
}

}  // namespace

std::string_view AddressRegister(std::string_view instruction) {
  // cp.async names shared memory first.
  const bool is_copy = instruction.find("cp.async") != std::string_view::npos;
  const std::size_t open = is_copy ? instruction.rfind('[') : instruction.find('[');
  return open == std::string_view::npos ? std::string_view()
                                        : RegisterAt(instruction.substr(open + 1));
}

PtxDefinitions::PtxDefinitions(const PtxText& text) : text_(text) {
  for (std::uint32_t line = 1; line <= text.line_count(); ++line) {
    const std::string_view written = WrittenRegister(text.Line(line));
    if (!written.empty()) writes_.emplace_back(written, line);
  }
  std::ranges::sort(writes_);
}

std::uint32_t PtxDefinitions::OfAddress(std::uint32_t line) const {
  const std::string_view address = AddressRegister(text_.Line(line));
  if (address.empty()) return 0;
  const auto next = std::ranges::lower_bound(writes_, std::pair(address, line));
  return next != writes_.begin() && std::prev(next)->first == address ? std::prev(next)->second : 0;
}

}  // namespace coalcheck::cubin

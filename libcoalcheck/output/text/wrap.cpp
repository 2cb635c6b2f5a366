// SPDX-License-Identifier: Apache-2.0
//
// Word by word; colour begins and ends within a line and takes no column.
#include "libcoalcheck/output/text/wrap.h"

#include <algorithm>

#include "libcoalcheck/findings/words/line_begin.h"

namespace coalcheck::output {
namespace {

constexpr std::size_t kHang = 2;  // of a continued line, behind its own indentation

bool IsSource(std::string_view line) {
  const std::size_t number = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t end = std::min(line.find_first_not_of("0123456789", number), line.size());
  return end > number && line.substr(end).starts_with(" | ");
}

void AddWrapped(std::string_view line, std::size_t width, std::string& wrapped) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  wrapped += line.substr(0, indent);
  line.remove_prefix(indent);
  std::size_t column = indent;
  bool first = true;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    const std::size_t columns = Columns(word);
    if (!first && column + 1 + columns > width && words::MayBeginLine(word)) {
      wrapped += '\n' + std::string(indent + kHang, ' ');
      column = indent + kHang;
    } else if (!first) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += columns;
    first = false;
  }
}

}  // namespace

std::size_t Columns(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') {
      i = std::min(line.find('m', i), line.size());
    } else if ((static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

std::string Wrapped(std::string_view text, std::size_t width) {
  std::string wrapped;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool ends = line.size() < text.size();
    text.remove_prefix(line.size() + (ends ? 1 : 0));
    if (Columns(line) <= width || IsSource(line)) {
      wrapped += line;
    } else {
      AddWrapped(line, width, wrapped);
    }
    if (ends) wrapped += '\n';
  }
  return wrapped;
}

}  // namespace coalcheck::output

// SPDX-License-Identifier: Apache-2.0
//
// Reads the debug directives of PTX text.
#include "tests/unit/cubin/ptx_locations.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace coalcheck::cubin {
namespace {

std::string TrimLeft(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : line.substr(first);
}

// The characters of ".b8 95,90,49,0".
std::string Characters(const std::string& line) {
  std::string text;
  std::istringstream numbers(line.substr(3));
  for (std::string number; std::getline(numbers, number, ',');) {
    const int c = std::atoi(number.c_str());
    if (c != 0) text += static_cast<char>(c);
  }
  return text;
}

}  // namespace

PtxLocations::PtxLocations(std::string_view ptx) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(ptx)};
  for (std::string line; std::getline(stream, line);) lines.push_back(TrimLeft(line));
  ReadDirectives(lines);
  int current = -1;
  for (const std::string& line : lines) {
    if (line.find(".entry ") != std::string::npos || line.find(".func ") != std::string::npos) {
      current = -1;
      if (!line.starts_with(".extern")) headers_.push_back(line);
      function_start_ = locations_.size();
    }
    if (line.starts_with(".loc")) {
      ReadLocation(line);
      current = static_cast<int>(locations_.size()) - 1;
    }
    location_at_line_.push_back(current);
  }
}

// Files and strings stand behind the code that uses them.
void PtxLocations::ReadDirectives(const std::vector<std::string>& lines) {
  std::string label;
  for (const std::string& line : lines) {
    if (line.starts_with(".file")) {
      const std::size_t quote = line.find('"');
      files_[std::atoi(line.c_str() + 5)] =
          line.substr(quote + 1, line.find('"', quote + 1) - quote - 1);
    } else if (line.starts_with("$L__info_string")) {
      label = line.substr(0, line.find(':'));
    } else if (line.starts_with(".b8") && !label.empty()) {
      strings_[label] += Characters(line);
    } else {
      label.clear();
    }
  }
}

// ".loc 2 1089 9, function_name $L__info_string0, inlined_at 1 27 3"
void PtxLocations::ReadLocation(const std::string& text) {
  Location location;
  char label[256] = "";
  int file = 0;
  int line = 0;
  int column = 0;
  const int read =
      std::sscanf(text.c_str(), ".loc %d %d %d, function_name %255[^,], inlined_at %d %d %d",
                  &location.file, &location.line, &location.column, label, &file, &line, &column);
  if (read == 7) {
    location.function_label = label;
    for (std::size_t i = locations_.size(); i > function_start_; --i) {
      const Location& other = locations_[i - 1];
      if (other.file == file && other.line == line && other.column == column) {
        location.parent = static_cast<int>(i) - 1;
        break;
      }
    }
  }
  locations_.push_back(location);
}

bool PtxLocations::Defines(std::string_view mangled_name) const {
  const std::string with_parameters = " " + std::string(mangled_name) + "(";
  return std::any_of(headers_.begin(), headers_.end(), [&](const std::string& header) {
    return header.find(with_parameters) != std::string::npos;
  });
}

std::vector<PtxFrame> PtxLocations::ChainAt(std::uint32_t line) const {
  std::vector<PtxFrame> chain;
  if (line == 0 || line > location_at_line_.size()) return chain;
  for (int at = location_at_line_[line - 1]; at >= 0;
       at = locations_[static_cast<std::size_t>(at)].parent) {
    const Location& location = locations_[static_cast<std::size_t>(at)];
    const auto function = strings_.find(location.function_label);
    const auto file = files_.find(location.file);
    chain.push_back({function == strings_.end() ? "" : function->second,
                     file == files_.end() ? "" : file->second,
                     static_cast<std::uint32_t>(location.line)});
  }
  return chain;
}

}  // namespace coalcheck::cubin

// SPDX-License-Identifier: Apache-2.0
//
// What tests read: whole files, and lists that the build gives.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace coalcheck::support {

// The bytes of a file; empty where it cannot be read.
inline std::string FileText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The parts of a list as "75,80,90": the architectures of fixtures.
inline std::vector<std::string> PartsOf(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace coalcheck::support

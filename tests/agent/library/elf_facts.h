// SPDX-License-Identifier: Apache-2.0
//
// What a shared library exports and needs, read from its own tables.
#pragma once

#include <string>
#include <vector>

namespace coalcheck::testing {

struct ElfFacts {
  std::vector<std::string> exports;       // defined global and weak dynamic symbols, sorted
  std::vector<std::string> needed;        // DT_NEEDED, sorted
  std::vector<std::string> search_paths;  // DT_RPATH and DT_RUNPATH
};

// Of a 64-bit little-endian library at `path`; everything empty when it cannot be read.
ElfFacts ReadElfFacts(const std::string& path);

}  // namespace coalcheck::testing

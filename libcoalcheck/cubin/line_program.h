// SPDX-License-Identifier: Apache-2.0
//
// Runs the DWARF 2 line programs of a cubin: from `.debug_line` to rows of source lines, and from
// `.nv_debug_line_sass` to rows of PTX lines.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cubin {

// One row. It holds from `address` up to the next row's.
struct LineRow {
  std::uint64_t address = 0;   // bytes from what the sequence's relocation names
  std::uint32_t file = 1;      // 1-based index into the unit's files
  std::uint32_t line = 1;      // 1-based
  std::uint32_t context = 0;   // 1-based row of this sequence that inlined this one; 0: none
  std::uint32_t function = 0;  // offset of the inlined function's name in .debug_str
};

struct LineFile {
  std::string_view directory;  // empty when the name says it all
  std::string_view name;
  // As the compiler found it: of its last modification, in seconds since 1970, and its bytes; 0:
  // not said.
  std::uint64_t time = 0;
  std::uint64_t size = 0;
};

// A run of rows for one function.
struct LineSequence {
  std::uint64_t relocation_offset = 0;  // where in the section its start address stands
  std::uint64_t start = 0;              // the value there, before relocation
  std::uint64_t end = 0;                // one past the last address
  std::span<const LineRow> rows;        // in program order
  std::span<const LineFile> files;      // of its unit; file 1 is the first
  std::uint64_t unit = 0;               // where in the section its unit's program begins
};

// Calls `visit` for every sequence in `section` that names its start address. The spans live only
// as long as the call. An error when a program cannot be followed; the sequences before it have
// been visited by then.
std::optional<Error> VisitLineSequences(std::string_view section,
                                        const std::function<void(const LineSequence&)>& visit);

}  // namespace coalcheck::cubin

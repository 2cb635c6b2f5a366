// SPDX-License-Identifier: Apache-2.0
//
// The source lines of PTX text that no assembler has read yet: its `.loc` and `.file` directives.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"

namespace coalcheck::cubin {

class PtxLines {
 public:
  // `text` has to outlive this and the frames; so do `names`, where names of functions are put
  // together.
  PtxLines(std::string_view text, std::deque<std::string>& names);

  // The chain of the instruction in `line` of the function that begins in `first_line`, innermost
  // first. Empty where no line is known.
  std::vector<SourceFrame> FramesOf(std::uint32_t line, std::uint32_t first_line,
                                    std::string_view function) const;
  // Whether any instruction has a source line.
  bool has_lines() const { return !locations_.empty(); }
  // The number of a file that a line refers to and that no `.file` names; 0 if all are named.
  std::uint32_t unknown_file() const { return unknown_file_; }

 private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // file, line, column
  struct Location {
    std::uint32_t at = 0;  // line of the text
    Place place;
    std::string_view function;  // label of its name; empty: not inlined
    std::uint32_t caller = 0;   // number of its caller's location plus 1; 0: none
  };
  class Reader;

  std::vector<Location> locations_;                                    // ascending
  absl::flat_hash_map<std::uint32_t, std::string_view> files_;         // by number
  absl::flat_hash_map<std::string_view, std::string_view> functions_;  // by label
  std::uint32_t unknown_file_ = 0;
};

}  // namespace coalcheck::cubin

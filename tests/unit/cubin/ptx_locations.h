// SPDX-License-Identifier: Apache-2.0
//
// An oracle: the inline chains as the compiler wrote them into PTX, `.loc … inlined_at …`, before
// ptxas turned them into a line table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coalcheck::cubin {

struct PtxFrame {
  std::string function;  // mangled; empty for the function that is not inlined
  std::string file;
  std::uint32_t line = 0;
  friend bool operator==(const PtxFrame&, const PtxFrame&) = default;
};

class PtxLocations {
 public:
  explicit PtxLocations(std::string_view ptx);
  // The chain that holds at the 1-based `line` of the PTX, innermost first; empty when none does.
  std::vector<PtxFrame> ChainAt(std::uint32_t line) const;
  // Whether the function called `mangled_name` is written out here, not only declared.
  bool Defines(std::string_view mangled_name) const;

 private:
  struct Location {
    int file = 0;
    int line = 0;
    int column = 0;
    std::string function_label;
    int parent = -1;  // index into locations_
  };

  void ReadLocation(const std::string& text);
  void ReadDirectives(const std::vector<std::string>& lines);

  std::vector<std::string> headers_;  // the lines that open functions
  std::map<int, std::string> files_;
  std::map<std::string, std::string> strings_;  // by label
  std::vector<Location> locations_;
  std::size_t function_start_ = 0;     // first location of the function being read
  std::vector<int> location_at_line_;  // index into locations_, -1 for none
};

}  // namespace coalcheck::cubin

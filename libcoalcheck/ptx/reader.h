// SPDX-License-Identifier: Apache-2.0
//
// Reads PTX text: which functions there are, and one function's instructions when asked. Takes any
// bytes; what it does not know it passes over.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {

class Module {
 public:
  // `text` has to outlive the module and what it reads. Lines end at NUL (a cubin's section) or at
  // a line feed (a .ptx file).
  explicit Module(std::string_view text);

  struct Entry {
    std::string_view name;  // mangled
    bool is_kernel = false;
    std::uint32_t first_line = 0;  // of the whole function, signature included
    std::uint32_t last_line = 0;
    std::size_t begin = 0;  // of its signature in the text
    std::size_t end = 0;    // behind its closing brace
  };
  // Those with a body, in the order of the text.
  const std::vector<Entry>& functions() const { return functions_; }
  // The function whose lines hold `line`; null when there is none.
  const Entry* At(std::uint32_t line) const;
  // The first of that name; null when there is none.
  const Entry* Find(std::string_view name) const;

  Function Read(const Entry& entry) const;

  // Notes that the assembler made of the load in `line` one of so many bytes of a lane. What is
  // read from then on says where that is a part: of an aligned vector or number it lies in the same
  // sector.
  void NoteLoad(std::uint32_t line, std::uint32_t bytes);

  // How many variables are the module's own: the first symbols of each function. None where copies
  // for each function would be too many.
  std::size_t globals() const { return globals_.size(); }

  // Whether the text ends within a comment, a string or brackets: functions may be missing.
  bool is_cut() const { return is_cut_; }
  // As `.version` says, 90 for 9.0; 0 when it is not said.
  std::uint32_t version() const { return version_; }

 private:
  void NoteKeptBytes(Function& function) const;

  std::string_view text_;
  char line_end_ = '\n';
  bool is_cut_ = false;
  std::uint32_t version_ = 0;
  std::vector<Entry> functions_;
  std::vector<std::uint32_t> by_name_;  // numbers of functions, by name
  std::vector<Symbol> globals_;
  // Of loads, by line: bytes of a lane, of the copy that has fewest and of the one that has most.
  absl::flat_hash_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> loaded_;
};

}  // namespace coalcheck::ptx

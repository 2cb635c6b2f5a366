// SPDX-License-Identifier: Apache-2.0
//
// Finds code in a cubin: the section of a function, the functions in it, what it calls, and where
// its jump tables lead.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/machine_code/control_flow.h"
#include "libcoalcheck/machine_code/instruction.h"

namespace coalcheck::machine_code {

// A function by the number of its section and its byte offset there.
struct FunctionAddress {
  std::size_t section = 0;
  std::int64_t offset = 0;
  friend auto operator<=>(const FunctionAddress&, const FunctionAddress&) = default;
};

// One section of code, decoded.
struct CodeSection {
  std::vector<Word> words;
  std::vector<Instruction> instructions;
  JumpTables jump_tables;
  // The function that the call at a byte offset names, if a relocation names it and the cubin holds
  // it.
  std::map<std::int64_t, FunctionAddress> named_calls;
  // Byte offsets of calls whose target is not in this cubin and is not known to be harmless.
  std::vector<std::int64_t> unknown_calls;
  // How many relocations and words of attributes were read for that.
  std::size_t read_beside = 0;

  // Byte offsets at which functions begin, ascending: its own, and those that it calls inside
  // itself.
  std::vector<std::int64_t> Entries() const;
};

// The cubin around the code. Its sections are looked up by name, of which a cubin may have a
// million.
class CodeImage {
 public:
  explicit CodeImage(cubin::ElfFile elf);

  std::uint32_t sm() const { return elf_.cuda_architecture(); }
  // The section of the function `name` itself; empty when it has none.
  std::optional<std::size_t> FindFunction(std::string_view name) const;
  CodeSection Decode(std::size_t section) const;
  // Functions in `section` behind its first instruction: compiled along with their caller.
  std::vector<std::int64_t> InnerFunctions(std::size_t section) const;
  // Where a call through a register may lead: every device function, and those inside `section`.
  std::vector<FunctionAddress> IndirectTargets(std::size_t section) const;
  // Whether the cubin refers to functions that are not in it and not known to be harmless.
  bool HasUnknownFunctions() const;
  // How many symbols each of these three looks at.
  std::size_t symbols() const { return elf_.symbols().size(); }

 private:
  void ReadJumpTables(std::string_view function, CodeSection& code) const;
  void ReadNamedCalls(std::string_view section_name, CodeSection& code) const;

  cubin::ElfFile elf_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // of one name the first section
  std::unordered_map<std::string_view, std::vector<std::size_t>>
      relocations_of_;  // by their target
};

}  // namespace coalcheck::machine_code

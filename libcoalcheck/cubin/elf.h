// SPDX-License-Identifier: Apache-2.0
//
// The little of ELF64 that cubins and the programs around them need: sections, symbols and
// relocations. In coalcheck_core, as the agent reads machine code too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libcoalcheck/base/result.h"

namespace coalcheck::cubin {

inline constexpr std::uint16_t kMachineCuda = 190;
// What the section of a function's code is called, before the function's mangled name.
inline constexpr std::string_view kTextPrefix = ".text.";

struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::string_view content;  // empty for sections without bytes in the file
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint16_t section = 0;
  std::uint8_t type = 0;   // STT_FUNC is 2
  std::uint8_t other = 0;  // st_other, where CUDA marks kernels

  bool is_function() const { return type == 2; }
  bool is_kernel() const { return is_function() && (other & 0x10U) != 0; }
};

// One place to patch: `offset` in the section relocated gets the value of `symbol` plus `addend`.
struct ElfRelocation {
  std::uint64_t offset = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
};

// A parsed file. Every view points into the bytes that were parsed.
class ElfFile {
 public:
  // An error when `bytes` is no little-endian ELF64 file, when its tables lie
  // outside it, or when its sections or names claim more bytes than there are.
  static Result<ElfFile> Parse(std::string_view bytes);

  std::uint16_t machine() const { return machine_; }
  bool is_relocatable() const { return is_relocatable_; }  // an object file
  std::uint32_t flags() const { return flags_; }
  // Of a cubin: 90 for sm_90.
  std::uint32_t cuda_architecture() const;
  std::span<const ElfSection> sections() const { return sections_; }
  std::span<const ElfSymbol> symbols() const { return symbols_; }
  // Null if no section has that name.
  const ElfSection* FindSection(std::string_view name) const;
  // All relocations of the section called `name`, with or without addends.
  std::vector<ElfRelocation> RelocationsOf(std::string_view name) const;
  // The section that `relocations` is about, as it says; null when it holds none.
  const ElfSection* TargetOf(const ElfSection& relocations) const;
  // Adds the relocations of one section.
  static void AddRelocations(const ElfSection& section, std::vector<ElfRelocation>& relocations);

 private:
  // What is wrong with them; empty when nothing is.
  std::optional<Error> ReadSections(std::string_view bytes);
  std::optional<Error> ReadSymbols(std::string_view bytes);

  std::uint16_t machine_ = 0;
  bool is_relocatable_ = false;
  std::uint32_t flags_ = 0;
  std::uint8_t abi_version_ = 0;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
};

}  // namespace coalcheck::cubin

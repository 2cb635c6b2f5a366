// SPDX-License-Identifier: Apache-2.0
//
// Puts ELF files and line programs together byte by byte, right or wrong ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coalcheck::cubin {

// Little-endian values and DWARF numbers, one after the other.
class ByteWriter {
 public:
  ByteWriter& U8(std::uint64_t value) { return Fixed(value, 1); }
  ByteWriter& U16(std::uint64_t value) { return Fixed(value, 2); }
  ByteWriter& U32(std::uint64_t value) { return Fixed(value, 4); }
  ByteWriter& U64(std::uint64_t value) { return Fixed(value, 8); }
  ByteWriter& Uleb(std::uint64_t value);
  ByteWriter& Text(std::string_view text);  // with a NUL behind it
  ByteWriter& Raw(std::string_view bytes);
  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  ByteWriter& Fixed(std::uint64_t value, int count);
  std::string bytes_;
};

// One line program of DWARF 2, with the numbers ptxas uses (line base -5, range 14, base 10).
class LineProgramBuilder {
 public:
  explicit LineProgramBuilder(std::vector<std::pair<std::string, int>> files,
                              std::vector<std::string> directories = {}, int padding = 0);

  // Where in the section the address stands, for its relocation.
  std::uint64_t SetAddress(std::uint64_t address);
  // A row at the current address plus `advance`, on `line` of `file`.
  void Row(std::uint64_t advance, int file, int line);
  // The rows that follow are inlined at row `context`.
  void Inlined(std::uint64_t context, std::uint64_t function_offset);
  void EndSequence(std::uint64_t advance);
  ByteWriter& raw() { return program_; }

  // The section.
  std::string Build() const;

 private:
  std::string prologue_;
  ByteWriter program_;
  int line_ = 1;
};

struct BuiltSection {
  std::string name;
  std::uint32_t type = 1;  // SHT_PROGBITS
  std::string content;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
};

struct BuiltSymbol {
  std::string name;
  std::uint16_t section = 0;  // counting from 1, in the order of AddSection
  std::uint8_t type = 2;      // STT_FUNC
  std::uint8_t other = 0x10;  // a kernel
};

// An ELF64 file. Sections added get the numbers 1, 2, …; symbols too.
class CubinBuilder {
 public:
  std::uint32_t AddSection(BuiltSection section);
  std::uint32_t AddFunction(const std::string& name, std::string code);
  std::uint32_t AddSymbol(BuiltSymbol symbol);
  // A relocation section without (REL) or with (RELA) addends, all of them `addend`; pairs of
  // offset and symbol.
  void AddRelocations(std::uint32_t target, bool with_addends,
                      const std::vector<std::pair<std::uint64_t, std::uint32_t>>& entries,
                      std::uint64_t addend = 0);
  void SetMachine(std::uint16_t machine) { machine_ = machine; }
  void SetObject() { type_ = 1; }  // ET_REL, no program
  void SetSm(std::uint32_t sm) { sm_ = sm; }
  std::string Build() const;

 private:
  std::vector<BuiltSection> sections_;
  std::vector<BuiltSymbol> symbols_;
  std::uint16_t type_ = 2;
  std::uint16_t machine_ = 190;
  std::uint32_t sm_ = 90;
};

// The instruction word LDG.E of sm_80 and later, and one that is no access.
std::string LoadWord();
std::string OtherWord();

}  // namespace coalcheck::cubin

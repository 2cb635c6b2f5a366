// SPDX-License-Identifier: Apache-2.0
//
// Lays out ELF files and line programs.
#include "tests/unit/cubin/cubin_builder.h"

namespace coalcheck::cubin {

ByteWriter& ByteWriter::Fixed(std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(value >> (8 * i));
  return *this;
}

ByteWriter& ByteWriter::Uleb(std::uint64_t value) {
  do {
    const std::uint64_t low = value & 0x7fU;
    value >>= 7U;
    U8(value == 0 ? low : low | 0x80U);
  } while (value != 0);
  return *this;
}

ByteWriter& ByteWriter::Text(std::string_view text) { return Raw(text).U8(0); }

ByteWriter& ByteWriter::Raw(std::string_view bytes) {
  bytes_ += bytes;
  return *this;
}

LineProgramBuilder::LineProgramBuilder(std::vector<std::pair<std::string, int>> files,
                                       std::vector<std::string> directories, int padding) {
  ByteWriter header;
  header.U8(1).U8(1).U8(static_cast<std::uint8_t>(-5)).U8(14).U8(10);
  for (const int count : {0, 1, 1, 1, 1, 0, 0, 0, 1}) header.U8(static_cast<unsigned>(count));
  for (const std::string& directory : directories) header.Text(directory);
  header.U8(0);
  for (const auto& [name, directory] : files) {
    header.Text(name).Uleb(static_cast<unsigned>(directory)).Uleb(0).Uleb(0);
  }
  header.U8(0);
  // Padding that would be read as operations if it were not skipped.
  for (int i = 0; i < padding; ++i) header.U8(1);
  prologue_ = ByteWriter().U16(2).U32(header.size()).Raw(header.bytes()).bytes();
}

std::uint64_t LineProgramBuilder::SetAddress(std::uint64_t address) {
  program_.U8(0).Uleb(9).U8(2);
  const std::uint64_t offset = 4 + prologue_.size() + program_.size();
  program_.U64(address);
  return offset;
}

void LineProgramBuilder::Row(std::uint64_t advance, int file, int line) {
  program_.U8(4).Uleb(static_cast<unsigned>(file));
  program_.U8(2).Uleb(advance);
  // Signed LEB128 of one or two bytes is enough here.
  const auto delta = static_cast<unsigned>(line - line_);
  program_.U8(3).U8(0x80U | (delta & 0x7fU)).U8((delta >> 7U) & 0x7fU);
  program_.U8(1);
  line_ = line;
}

void LineProgramBuilder::Inlined(std::uint64_t context, std::uint64_t function_offset) {
  const ByteWriter operands = ByteWriter().U8(0x90).Uleb(context).Uleb(function_offset);
  program_.U8(0).Uleb(operands.size()).Raw(operands.bytes());
}

void LineProgramBuilder::EndSequence(std::uint64_t advance) {
  program_.U8(2).Uleb(advance).U8(0).Uleb(1).U8(1);
  line_ = 1;
}

std::string LineProgramBuilder::Build() const {
  return ByteWriter()
      .U32(prologue_.size() + program_.size())
      .Raw(prologue_)
      .Raw(program_.bytes())
      .bytes();
}

std::uint32_t CubinBuilder::AddSection(BuiltSection section) {
  sections_.push_back(std::move(section));
  return static_cast<std::uint32_t>(sections_.size());
}

std::uint32_t CubinBuilder::AddFunction(const std::string& name, std::string code) {
  const std::uint32_t section = AddSection({".text." + name, 1, std::move(code)});
  return AddSymbol({name, static_cast<std::uint16_t>(section)});
}

std::uint32_t CubinBuilder::AddSymbol(BuiltSymbol symbol) {
  symbols_.push_back(std::move(symbol));
  return static_cast<std::uint32_t>(symbols_.size());
}

void CubinBuilder::AddRelocations(
    std::uint32_t target, bool with_addends,
    const std::vector<std::pair<std::uint64_t, std::uint32_t>>& entries, std::uint64_t addend) {
  ByteWriter content;
  for (const auto& [offset, symbol] : entries) {
    content.U64(offset).U32(2).U32(symbol);
    if (with_addends) content.U64(addend);
  }
  AddSection({with_addends ? ".rela" : ".rel", with_addends ? 4U : 9U, content.bytes(), 0, target});
}

std::string CubinBuilder::Build() const {
  std::vector<BuiltSection> sections = sections_;
  ByteWriter strings;
  ByteWriter symbols;
  strings.U8(0);
  symbols.Raw(std::string(24, '\0'));
  for (const BuiltSymbol& symbol : symbols_) {
    symbols.U32(strings.size()).U8(symbol.type).U8(symbol.other).U16(symbol.section);
    symbols.U64(0).U64(0);
    strings.Text(symbol.name);
  }
  const auto strings_index = static_cast<std::uint32_t>(sections.size() + 1);
  sections.push_back({".strtab", 3, strings.bytes()});
  sections.push_back({".symtab", 2, symbols.bytes(), strings_index});
  sections.push_back({".shstrtab", 3, ""});
  ByteWriter names;
  names.U8(0);
  std::vector<std::size_t> name_offsets;
  for (const BuiltSection& section : sections) {
    name_offsets.push_back(names.size());
    names.Text(section.name);
  }
  sections.back().content = names.bytes();

  ByteWriter contents;
  ByteWriter table;
  table.Raw(std::string(64, '\0'));
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const BuiltSection& section = sections[i];
    table.U32(name_offsets[i]).U32(section.type).U64(0).U64(0).U64(64 + contents.size());
    table.U64(section.content.size()).U32(section.link).U32(section.info).U64(1).U64(0);
    contents.Raw(section.content);
  }
  ByteWriter file;
  file.Raw("\177ELF").U8(2).U8(1).U8(1).U8(0x41).U8(8).Raw(std::string(7, '\0'));
  file.U16(type_).U16(machine_).U32(1).U64(0).U64(0).U64(64 + contents.size()).U32(sm_ << 8U);
  file.U16(64).U16(56).U16(0).U16(64).U16(sections.size() + 1).U16(sections.size());
  return file.Raw(contents.bytes()).Raw(table.bytes()).bytes();
}

std::string LoadWord() { return ByteWriter().U64(0x981).U64(std::uint64_t{4} << 9U).bytes(); }
std::string OtherWord() { return ByteWriter().U64(0x918).U64(0).bytes(); }

}  // namespace coalcheck::cubin

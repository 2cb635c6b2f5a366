// SPDX-License-Identifier: Apache-2.0
//
// Reads ELF64 structures by offset, checking each against the size of the file.
#include "libcoalcheck/cubin/elf.h"

#include <elf.h>

#include <cstring>
#include <optional>

#include "libcoalcheck/cubin/byte_reader.h"
#include "libcoalcheck/cubin/string_table.h"

namespace coalcheck::cubin {
namespace {

// Copies a structure out of `bytes`, which may have any alignment.
template <typename T>
std::optional<T> ReadAt(std::string_view bytes, std::uint64_t offset) {
  const std::string_view taken = Slice(bytes, offset, sizeof(T));
  if (taken.empty()) return std::nullopt;
  T value;
  std::memcpy(&value, taken.data(), sizeof(T));
  return value;
}

bool IsElf64(std::string_view bytes) {
  return bytes.size() >= sizeof(Elf64_Ehdr) && bytes.starts_with(std::string_view(ELFMAG, 4)) &&
         bytes[EI_CLASS] == ELFCLASS64 && bytes[EI_DATA] == ELFDATA2LSB;
}

// More than 65 279 sections do not fit into the header; section 0 then holds the number.
std::optional<std::uint64_t> SectionCount(std::string_view bytes, const Elf64_Ehdr& header) {
  if (header.e_shoff == 0) return 0;
  if (header.e_shnum != 0) return header.e_shnum;
  const auto first = ReadAt<Elf64_Shdr>(bytes, header.e_shoff);
  if (!first) return std::nullopt;
  return first->sh_size;
}

ElfSection ToSection(std::string_view bytes, const Elf64_Shdr& header) {
  ElfSection section;
  section.type = header.sh_type;
  section.link = header.sh_link;
  section.info = header.sh_info;
  const bool has_bytes = header.sh_type != SHT_NULL && header.sh_type != SHT_NOBITS;
  if (has_bytes) section.content = Slice(bytes, header.sh_offset, header.sh_size);
  return section;
}

// Sections hardly overlap in real files (from sm_100 on some are shared by two), nor do names (what
// ends alike may share its bytes); in hostile ones they would multiply the work.
bool OverlapTooMuch(std::uint64_t claimed, std::string_view bytes) {
  return claimed / 2 > bytes.size();
}

}  // namespace

Result<ElfFile> ElfFile::Parse(std::string_view bytes) {
  if (!IsElf64(bytes)) return Error{"not a little-endian ELF64 file"};
  const auto header = ReadAt<Elf64_Ehdr>(bytes, 0);
  ElfFile file;
  file.machine_ = header->e_machine;
  file.is_relocatable_ = header->e_type == ET_REL;
  file.flags_ = header->e_flags;
  file.abi_version_ = header->e_ident[EI_ABIVERSION];
  if (std::optional<Error> error = file.ReadSections(bytes)) return *std::move(error);
  if (std::optional<Error> error = file.ReadSymbols(bytes)) return *std::move(error);
  return file;
}

std::optional<Error> ElfFile::ReadSections(std::string_view bytes) {
  const auto header = ReadAt<Elf64_Ehdr>(bytes, 0);
  const std::optional<std::uint64_t> count = SectionCount(bytes, *header);
  const std::uint64_t room =
      header->e_shoff <= bytes.size() ? (bytes.size() - header->e_shoff) / sizeof(Elf64_Shdr) : 0;
  if (!count || *count > room) {
    return Error{"ELF section table lies outside the file"};
  }
  std::vector<std::uint32_t> names;
  std::uint64_t claimed = 0;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto section = ReadAt<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    names.push_back(section->sh_name);
    sections_.push_back(ToSection(bytes, *section));
    claimed += sections_.back().content.size();
    if (OverlapTooMuch(claimed, bytes)) {
      return Error{"ELF sections claim more bytes than the file has"};
    }
  }
  std::uint64_t names_index = header->e_shstrndx;
  if (names_index == SHN_XINDEX && !sections_.empty()) names_index = sections_[0].link;
  if (names_index >= sections_.size()) return std::nullopt;
  const StringTable table(sections_[names_index].content);
  std::uint64_t named = 0;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i].name = table.At(names[i]);
    named += sections_[i].name.size();
    if (OverlapTooMuch(named, bytes)) {
      return Error{"ELF section names claim more bytes than the file has"};
    }
  }
  return std::nullopt;
}

std::optional<Error> ElfFile::ReadSymbols(std::string_view bytes) {
  for (const ElfSection& table : sections_) {
    if (table.type != SHT_SYMTAB || table.link >= sections_.size()) continue;
    const StringTable strings(sections_[table.link].content);
    std::uint64_t named = 0;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.content.size();
         at += sizeof(Elf64_Sym)) {
      const auto symbol = ReadAt<Elf64_Sym>(table.content, at);
      symbols_.push_back({strings.At(symbol->st_name), symbol->st_value, symbol->st_shndx,
                          static_cast<std::uint8_t>(ELF64_ST_TYPE(symbol->st_info)),
                          symbol->st_other});
      named += symbols_.back().name.size();
      if (OverlapTooMuch(named, bytes)) {
        return Error{"ELF symbol names claim more bytes than the file has"};
      }
    }
    return std::nullopt;  // relocations count in the first table; a second one is not allowed
  }
  return std::nullopt;
}

std::uint32_t ElfFile::cuda_architecture() const {
  constexpr std::uint8_t kWideAbiVersion = 8;  // CUDA 13 moved the architecture up by a byte
  return (flags_ >> (abi_version_ >= kWideAbiVersion ? 8U : 0U)) & 0xffU;
}

const ElfSection* ElfFile::FindSection(std::string_view name) const {
  for (const ElfSection& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

const ElfSection* ElfFile::TargetOf(const ElfSection& relocations) const {
  const bool holds_some = relocations.type == SHT_RELA || relocations.type == SHT_REL;
  return holds_some && relocations.info < sections_.size() ? &sections_[relocations.info] : nullptr;
}

std::vector<ElfRelocation> ElfFile::RelocationsOf(std::string_view name) const {
  std::vector<ElfRelocation> relocations;
  for (const ElfSection& section : sections_) {
    const ElfSection* target = TargetOf(section);
    if (target != nullptr && target->name == name) AddRelocations(section, relocations);
  }
  return relocations;
}

void ElfFile::AddRelocations(const ElfSection& section, std::vector<ElfRelocation>& relocations) {
  const std::size_t size = section.type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
  for (std::uint64_t at = 0; at + size <= section.content.size(); at += size) {
    // The first two fields are the same in both; only one form has the third.
    const auto common = ReadAt<Elf64_Rel>(section.content, at);
    ElfRelocation relocation{common->r_offset,
                             static_cast<std::uint32_t>(ELF64_R_SYM(common->r_info)), 0};
    if (section.type == SHT_RELA) {
      relocation.addend = ReadAt<Elf64_Rela>(section.content, at)->r_addend;
    }
    relocations.push_back(relocation);
  }
}

}  // namespace coalcheck::cubin

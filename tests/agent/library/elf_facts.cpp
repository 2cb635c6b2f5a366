// SPDX-License-Identifier: Apache-2.0
//
// Reads a trusted library through its section headers.
#include "tests/agent/library/elf_facts.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace coalcheck::testing {
namespace {

template <typename T>
std::vector<T> Table(const std::string& file, std::size_t offset, std::size_t bytes) {
  std::vector<T> table(bytes / sizeof(T));
  if (offset + bytes <= file.size()) std::memcpy(table.data(), file.data() + offset, bytes);
  return table;
}

bool IsExported(const Elf64_Sym& symbol) {
  const auto binding = ELF64_ST_BIND(symbol.st_info);
  return symbol.st_shndx != SHN_UNDEF && symbol.st_name != 0 &&
         (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE);
}

}  // namespace

ElfFacts ReadElfFacts(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  if (file.size() < sizeof(Elf64_Ehdr)) return {};
  const auto header = Table<Elf64_Ehdr>(file, 0, sizeof(Elf64_Ehdr))[0];
  const auto sections =
      Table<Elf64_Shdr>(file, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  ElfFacts facts;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_DYNAMIC) continue;
    const char* strings = file.data() + sections.at(section.sh_link).sh_offset;
    if (section.sh_type == SHT_DYNSYM) {
      for (const auto& symbol : Table<Elf64_Sym>(file, section.sh_offset, section.sh_size)) {
        if (IsExported(symbol)) facts.exports.emplace_back(strings + symbol.st_name);
      }
      continue;
    }
    for (const auto& entry : Table<Elf64_Dyn>(file, section.sh_offset, section.sh_size)) {
      const char* text = strings + entry.d_un.d_val;
      if (entry.d_tag == DT_NEEDED) facts.needed.emplace_back(text);
      if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) {
        facts.search_paths.emplace_back(text);
      }
    }
  }
  std::ranges::sort(facts.exports);
  std::ranges::sort(facts.needed);
  return facts;
}

}  // namespace coalcheck::testing

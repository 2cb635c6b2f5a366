// SPDX-License-Identifier: Apache-2.0
//
// Makes a cubin around arbitrary bytes as its code, so that most inputs reach the decoder.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace coalcheck::fuzz {

template <typename T>
void Append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline Elf64_Shdr SectionHeader(std::uint32_t name, std::uint32_t type, std::size_t at,
                                std::size_t size) {
  Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_offset = at;
  header.sh_size = size;
  return header;
}

// A cubin whose only kernel, `k`, has this code.
inline std::string Wrap(std::string_view code, std::uint32_t sm) {
  const std::string_view names("\0.text.k\0.names", 15);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, 4);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 190;
  header.e_flags = sm;
  header.e_shoff = sizeof(header) + code.size() + names.size();
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  std::string bytes;
  Append(bytes, header);
  bytes.append(code).append(names);
  Append(bytes, Elf64_Shdr{});
  Append(bytes, SectionHeader(1, SHT_PROGBITS, sizeof(header), code.size()));
  Append(bytes, SectionHeader(9, SHT_STRTAB, sizeof(header) + code.size(), names.size()));
  return bytes;
}

}  // namespace coalcheck::fuzz

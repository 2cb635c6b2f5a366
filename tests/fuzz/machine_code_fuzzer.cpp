// SPDX-License-Identifier: Apache-2.0
//
// Looks for signs of waiting in arbitrary bytes: as a cubin, and as the code of one made around
// them, so that most inputs reach the decoder.
#include <elf.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "libcoalcheck/machine_code/waiting_signs.h"

namespace {

using namespace coalcheck::machine_code;

void Require(bool promise) {
  if (!promise) std::abort();
}

template <typename T>
void Append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

Elf64_Shdr SectionHeader(std::uint32_t name, std::uint32_t type, std::size_t at, std::size_t size) {
  Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_offset = at;
  header.sh_size = size;
  return header;
}

// A cubin whose only kernel, `k`, has this code.
std::string Wrap(std::string_view code, std::uint32_t sm) {
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string_view kernel : KernelNames(bytes)) {
    Require(FindWaitingSigns(bytes, kernel) == FindWaitingSigns(bytes, kernel));
  }
  Require(FindWaitingSigns(bytes, "no such kernel") == WaitingSigns{WaitingSign::kUnreadable});
  for (const std::uint32_t sm : {75U, 90U, 120U}) {
    const WaitingSigns signs = FindWaitingSigns(Wrap(bytes, sm), "k");
    Require(bytes.size() >= 16 || !signs.Has(WaitingSign::kStrongLoad));
  }
  return 0;
}

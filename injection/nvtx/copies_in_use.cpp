// SPDX-License-Identifier: Apache-2.0
//
// The search for NVTX's state, object by object: by the symbol table of the file, in the memory of
// the process.
#include "injection/nvtx/copies_in_use.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace coalcheck::nvtx {
namespace {

constexpr std::string_view kState = "nvtxGlobals_v3";
// nvtxInit.h: 0 before the first call; during it and after it not.
constexpr std::uint32_t kFresh = 0;

// A file in memory; what lies outside of it reads as nothing.
class Image {
 public:
  explicit Image(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status {};
    if (fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      bytes_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    close(file);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() {
    if (bytes_ != MAP_FAILED) munmap(bytes_, size_);
  }

  template <typename T>
  std::optional<T> Read(std::uint64_t at) const {
    if (bytes_ == MAP_FAILED || at > size_ || size_ - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, static_cast<const char*>(bytes_) + at, sizeof value);
    return value;
  }
  bool HoldsText(std::uint64_t at, std::string_view text) const {
    if (bytes_ == MAP_FAILED || at > size_ || size_ - at <= text.size()) return false;
    const char* found = static_cast<const char*>(bytes_) + at;
    return std::memcmp(found, text.data(), text.size()) == 0 && found[text.size()] == '\0';
  }

 private:
  void* bytes_ = MAP_FAILED;
  std::size_t size_ = 0;
};

// Where the state lies, as the object was linked; empty when no symbol says so.
std::optional<std::uint64_t> StateIn(const Image& image) {
  const auto header = image.Read<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  const auto section = [&](std::uint64_t index) {
    return image.Read<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto symbols = section(i);
    if (!symbols || symbols->sh_type != SHT_SYMTAB) continue;
    const auto names = section(symbols->sh_link);
    if (!names) return std::nullopt;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size;
         at += sizeof(Elf64_Sym)) {
      const auto symbol = image.Read<Elf64_Sym>(symbols->sh_offset + at);
      if (!symbol) return std::nullopt;
      if (symbol->st_shndx == SHN_UNDEF || symbol->st_size < sizeof(std::uint32_t)) continue;
      if (image.HoldsText(names->sh_offset + symbol->st_name, kState)) return symbol->st_value;
    }
  }
  return std::nullopt;
}

// Whether the file that was read is what lies in memory, as far as this address goes.
bool IsData(const dl_phdr_info& object, std::uint64_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    const bool is_data = part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0;
    if (is_data && address >= part.p_vaddr &&
        address - part.p_vaddr + sizeof(std::uint32_t) <= part.p_memsz) {
      return true;
    }
  }
  return false;
}

int AddIfInUse(dl_phdr_info* object, std::size_t /*size*/, void* found) noexcept {
  try {
    const bool is_program = object->dlpi_name == nullptr || *object->dlpi_name == '\0';
    const char* path = is_program ? "/proc/self/exe" : object->dlpi_name;
    const std::optional<std::uint64_t> at = StateIn(Image(path));
    if (!at || !IsData(*object, *at)) return 0;
    const volatile auto* state =
        reinterpret_cast<const volatile std::uint32_t*>(object->dlpi_addr + *at);
    if (*state == kFresh) return 0;
    static_cast<std::vector<std::string>*>(found)->emplace_back(is_program ? "the program itself"
                                                                           : path);
  } catch (...) {
    return 1;  // out of memory: what was found so far will do
  }
  return 0;
}

}  // namespace

std::vector<std::string> CopiesInUse() {
  std::vector<std::string> found;
  dl_iterate_phdr(AddIfInUse, &found);
  return found;
}

}  // namespace coalcheck::nvtx

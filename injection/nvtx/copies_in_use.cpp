// SPDX-License-Identifier: Apache-2.0
//
// The search for NVTX's state, object by object: by the symbol table of the file, in the memory of
// the process. Files are read without a lock held; a second search reads only memory.
#include "injection/nvtx/copies_in_use.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace coalcheck::nvtx {
namespace {

constexpr std::string_view kState{"nvtxGlobals_v3", sizeof "nvtxGlobals_v3"};  // with its 0
// nvtxInit.h: 0 before the first call, another value from then on.
constexpr std::uint32_t kFresh = 0;
// Reading more names than that would be felt at the start of the program.
constexpr std::uint64_t kMostNameBytes = std::uint64_t{64} << 20U;
constexpr std::size_t kChunk = std::size_t{1} << 16U;

struct Object {
  std::string name;  // empty: the program
  ElfW(Addr) address = 0;
  std::vector<ElfW(Phdr)> parts;
  std::uint64_t state = 0;  // where it lies, as the object was linked
};

// A regular file; what cannot be read of it reads as nothing.
class File {
 public:
  explicit File(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    const bool is_file = file_ >= 0 && fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
    if (!is_file) Close();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { Close(); }

  bool Read(std::uint64_t at, void* to, std::size_t size) const {
    return file_ >= 0 && at <= INT64_MAX - size &&
           pread(file_, to, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
  }
  template <typename T>
  std::optional<T> Read(std::uint64_t at) const {
    T value;
    if (!Read(at, &value, sizeof value)) return std::nullopt;
    return value;
  }

 private:
  void Close() {
    if (file_ >= 0) close(file_);
    file_ = -1;
  }
  int file_;
};

// Where the state's name begins in the table, also as the end of a longer one.
std::vector<std::uint64_t> NamesOf(const File& file, const Elf64_Shdr& names) {
  std::vector<std::uint64_t> found;
  if (names.sh_size > kMostNameBytes) return found;
  std::string bytes;
  // Chunks overlap by a name.
  for (std::uint64_t at = 0; at < names.sh_size; at += kChunk - kState.size()) {
    bytes.resize(std::min<std::uint64_t>(kChunk, names.sh_size - at));
    if (!file.Read(names.sh_offset + at, bytes.data(), bytes.size())) return found;
    for (std::size_t in = bytes.find(kState); in != std::string::npos;
         in = bytes.find(kState, in + 1)) {
      found.push_back(at + in);
    }
  }
  return found;
}

std::optional<std::uint64_t> StateAmong(const File& file, const Elf64_Shdr& symbols,
                                        const std::vector<std::uint64_t>& names) {
  std::vector<Elf64_Sym> chunk(kChunk / sizeof(Elf64_Sym));
  for (std::uint64_t first = 0; first < symbols.sh_size / sizeof(Elf64_Sym);
       first += chunk.size()) {
    chunk.resize(
        std::min<std::uint64_t>(chunk.size(), symbols.sh_size / sizeof(Elf64_Sym) - first));
    const std::uint64_t at = symbols.sh_offset + first * sizeof(Elf64_Sym);
    if (!file.Read(at, chunk.data(), chunk.size() * sizeof(Elf64_Sym))) return std::nullopt;
    const auto state = std::ranges::find_if(chunk, [&](const Elf64_Sym& symbol) {
      return ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF &&
             symbol.st_size >= sizeof(std::uint32_t) &&
             std::ranges::find(names, symbol.st_name) != names.end();
    });
    if (state != chunk.end()) return state->st_value;
  }
  return std::nullopt;
}

// Whether the file is the one that was loaded, and not its successor of the same name.
bool IsLoadedFrom(const Object& object, const File& file, const Elf64_Ehdr& header) {
  if (header.e_phnum != object.parts.size()) return false;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto part = file.Read<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!part || std::memcmp(&*part, &object.parts[i], sizeof *part) != 0) return false;
  }
  return true;
}

// Whether four bytes there are the object's data.
bool IsData(const Object& object, std::uint64_t address) {
  return std::ranges::any_of(object.parts, [address](const ElfW(Phdr) & part) {
    return part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0 && address >= part.p_vaddr &&
           part.p_memsz >= sizeof(std::uint32_t) &&
           address - part.p_vaddr <= part.p_memsz - sizeof(std::uint32_t);
  });
}

// Empty when no symbol says where the object's state is.
std::optional<std::uint64_t> StateIn(const Object& object) {
  const File file(object.name.empty() ? "/proc/self/exe" : object.name.c_str());
  const auto header = file.Read<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || !IsLoadedFrom(object, file, *header)) {
    return std::nullopt;
  }
  const auto section = [&](std::uint64_t index) {
    return file.Read<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto symbols = section(i);
    if (!symbols) return std::nullopt;
    if (symbols->sh_type != SHT_SYMTAB) continue;
    const auto names = section(symbols->sh_link);
    if (!names) return std::nullopt;
    const auto state = StateAmong(file, *symbols, NamesOf(file, *names));
    return state && IsData(object, *state) ? state : std::nullopt;
  }
  return std::nullopt;
}

// The linker holds its lock around these two: no file is read in them.
int AddObject(dl_phdr_info* object, std::size_t /*size*/, void* objects) noexcept {
  const std::string_view name = object->dlpi_name == nullptr ? "" : object->dlpi_name;
  // Other objects have no file, as the kernel's vDSO, or one that cannot be told.
  if (!name.empty() && name.front() != '/') return 0;
  try {
    static_cast<std::vector<Object>*>(objects)->push_back(
        {std::string(name),
         object->dlpi_addr,
         {object->dlpi_phdr, object->dlpi_phdr + object->dlpi_phnum}});
  } catch (...) {
    return 1;  // out of memory: what was found so far will do
  }
  return 0;
}

struct Question {
  const Object& object;
  bool in_use = false;
};

int AskObject(dl_phdr_info* object, std::size_t /*size*/, void* asked) noexcept {
  Question& question = *static_cast<Question*>(asked);
  const bool is_it = object->dlpi_addr == question.object.address && object->dlpi_name != nullptr &&
                     question.object.name == object->dlpi_name;
  if (!is_it) return 0;
  question.in_use = *reinterpret_cast<const volatile std::uint32_t*>(
                        object->dlpi_addr + question.object.state) != kFresh;
  return 1;
}

}  // namespace

std::vector<std::string> CopiesInUse() {
  std::vector<Object> objects;
  dl_iterate_phdr(AddObject, &objects);
  std::vector<std::string> found;
  for (Object& object : objects) {
    const std::optional<std::uint64_t> state = StateIn(object);
    if (!state) continue;
    object.state = *state;
    Question question{object};
    dl_iterate_phdr(AskObject, &question);  // it may have gone
    if (question.in_use) found.push_back(object.name.empty() ? "the program itself" : object.name);
  }
  return found;
}

}  // namespace coalcheck::nvtx

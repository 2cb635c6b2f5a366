// SPDX-License-Identifier: Apache-2.0
//
// Looks where an installation and a build put it.
#include "cli/launch/library.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <system_error>

#include "libcoalcheck/base/mapped_file.h"
#include "libcoalcheck/cubin/elf.h"
#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEntryPoint = "InitializeInjection";

// Whether the dynamic symbol table defines the entry point.
bool ExportsEntryPoint(const cubin::ElfFile& elf) {
  const cubin::ElfSection* table = elf.FindSection(".dynsym");
  const cubin::ElfSection* names = elf.FindSection(".dynstr");
  if (table == nullptr || names == nullptr) return false;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table->content.size();
       at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, table->content.data() + at, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names->content.size()) continue;
    const std::string_view rest = names->content.substr(symbol.st_name);
    if (rest.substr(0, rest.find('\0')) == kEntryPoint) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> LibraryPlaces(const std::string& executable) {
  const fs::path folder = fs::path(executable).parent_path();
  return {(folder / kLibraryName).string(), (folder.parent_path() / "lib" / kLibraryName).string()};
}

std::string FirstReadable(const std::vector<std::string>& places) {
  std::error_code error;
  for (const std::string& place : places) {
    std::string path = recording::RealPath(place);
    if (path.empty() || !fs::is_regular_file(path, error)) continue;
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

bool IsInjectionLibrary(const std::string& file) {
  const MappedFile mapped(file);
  Elf64_Ehdr header;
  if (mapped.bytes().size() < sizeof header) return false;
  std::memcpy(&header, mapped.bytes().data(), sizeof header);
  if (header.e_type != ET_DYN) return false;
  const Result<cubin::ElfFile> elf = cubin::ElfFile::Parse(mapped.bytes());
  return elf.ok() && ExportsEntryPoint(elf.value());
}

Result<std::string> FindLibrary(const std::string& named) {
  std::error_code error;
  const std::vector<std::string> places =
      named.empty() ? LibraryPlaces(fs::read_symlink("/proc/self/exe", error).string())
                    : std::vector<std::string>{named};
  std::string path = FirstReadable(places);
  if (path.empty() && named.empty()) {
    return Error{fmt::format("{} is neither {}; name it with --library", kLibraryName,
                             fmt::join(places, " nor "))};
  }
  if (path.empty()) return Error{fmt::format("--library: {} cannot be read as a file", named)};
  if (!IsInjectionLibrary(path)) {
    return Error{fmt::format("{}{} is not libcoalcheck.so: not a shared library that exports {}",
                             named.empty() ? "" : "--library: ", path, kEntryPoint)};
  }
  return path;
}

}  // namespace coalcheck::cli

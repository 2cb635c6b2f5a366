// SPDX-License-Identifier: Apache-2.0
//
// Looks at the file and at the machine.
#include "cli/launch/diagnosis.h"

#include <elf.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/base/foreign_file.h"
#include "cli/launch/child.h"
#include "libcoalcheck/base/shell_word.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStartOfFile = 64 << 10;  // program headers stand at the front

// The interpreter of a script's first line, empty when there is none.
std::string Interpreter(const std::string& start) {
  if (!start.starts_with("#!")) return {};
  const std::size_t from = start.find_first_not_of(" \t", 2);
  if (from == std::string::npos) return {};
  return start.substr(from, start.find_first_of(" \t\r\n", from) - from);
}

// On a desktop or server, in a container, under the Windows Subsystem for Linux, on a Tegra.
bool HasDriver() {
  std::error_code error;
  for (const char* sign :
       {"/proc/driver/nvidia", "/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-gpu"}) {
    if (fs::exists(sign, error)) return true;
  }
  return false;
}

bool HasRaisedRights(const std::string& program) {
  std::error_code error;
  const fs::perms perms = fs::status(program, error).permissions();
  return !error && (perms & (fs::perms::set_uid | fs::perms::set_gid)) != fs::perms::none;
}

}  // namespace

std::string WhyNotExecuted(const std::string& program, int error) {
  std::error_code ignored;
  const bool is_path = program.find('/') != std::string::npos;
  if (error == ENOENT && !is_path) return "there is no such command in PATH";
  if (fs::is_directory(program, ignored)) {
    return fs::exists(fs::path(program) / "records.jsonl", ignored)
               ? fmt::format("it is a recording; read it with: coalcheck report {}",
                             ShellWord(program))
               : "it is a folder";
  }
  if (error == ENOENT && fs::exists(program, ignored)) {
    const std::string interpreter = Interpreter(ReadStart(program, kStartOfFile));
    return fmt::format("its interpreter {} is missing",
                       interpreter.empty() ? "(the dynamic linker it names)" : interpreter);
  }
  if (error == EACCES && fs::is_regular_file(program, ignored)) {
    return "it is not executable (chmod +x), or lies where nothing may be executed";
  }
  return std::strerror(error);
}

bool IsDynamic(std::string_view elf) {
  if (elf.size() < sizeof(Elf64_Ehdr) || elf.substr(0, SELFMAG) != ELFMAG ||
      elf[EI_CLASS] != ELFCLASS64) {
    return true;
  }
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    if (at > elf.size() || elf.size() - at < sizeof(Elf64_Phdr)) return true;  // cannot be told
    Elf64_Phdr segment;
    std::memcpy(&segment, elf.data() + at, sizeof segment);
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

std::vector<std::string> WhyNoRecording(const std::string& program) {
  if (!HasDriver()) {
    return {
        fmt::format("{} made no recording: this machine has no NVIDIA driver "
                    "(neither /proc/driver/nvidia nor /dev/nvidiactl)",
                    program)};
  }
  if (!IsDynamic(ReadStart(FindProgram(program), kStartOfFile))) {
    return {
        fmt::format("{} made no recording: it is statically linked, and the CUDA driver "
                    "cannot be loaded into such a program",
                    program)};
  }
  if (HasRaisedRights(FindProgram(program))) {
    return {fmt::format(
        "{} made no recording: it is set-user-id or set-group-id, and in a program with "
        "raised rights the library does nothing",
        program)};
  }
  return {
      fmt::format("{} made no recording: either a line above says why, or none of its processes "
                  "called CUDA,",
                  program),
      "or one of them dropped CUDA_INJECTION64_PATH from the environment (sudo, su, ssh, env -i, a "
      "container, a job of a batch system)"};
}

}  // namespace coalcheck::cli

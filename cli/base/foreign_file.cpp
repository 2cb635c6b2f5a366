// SPDX-License-Identifier: Apache-2.0
//
// Opens files and turns the errors of the system into sentences.
#include "cli/base/foreign_file.h"

#include <absl/status/status.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/base/repository.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

absl::Status WhyNotOpened(const std::string& file, int error) {
  const std::string name = words::Printable(file);
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(fmt::format("{} does not exist", name));
    case EISDIR:
      return absl::InvalidArgumentError(fmt::format("{} is not a regular file but a folder", name));
    case EINVAL:
      return absl::InvalidArgumentError(fmt::format("{} is not a regular file", name));
    case ELOOP:
      return absl::InvalidArgumentError(fmt::format("{} is not a regular file but a link", name));
    default:
      return absl::PermissionDeniedError(
          fmt::format("{} cannot be read: {}", name, std::strerror(error)));
  }
}

std::string InWords(std::uint64_t bytes) {
  constexpr std::uint64_t kMiB = 1 << 20;
  return bytes < kMiB ? fmt::format("{} bytes", bytes) : fmt::format("{} MiB", bytes / kMiB);
}

absl::Status WhyNotRead(const std::string& file, const OpenFile& opened, std::uint64_t most) {
  if (opened.error() != 0) return WhyNotOpened(file, opened.error());
  if (opened.size() <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{} is larger than {} (it has {}) and is not read",
                                                words::Printable(file), InWords(most),
                                                InWords(opened.size())));
}

// From `offset` on, up to the end: files of /proc say that they have none.
absl::StatusOr<std::string> ReadFrom(const OpenFile& file, std::uint64_t offset,
                                     std::uint64_t most) {
  constexpr std::uint64_t kStep = 64 << 10;
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min(most - before, std::max(kStep, file.size())));
    const ssize_t got = pread(file.descriptor(), bytes.data() + before, bytes.size() - before,
                              static_cast<off_t>(offset + before));
    bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return absl::InternalError(std::strerror(errno));
  }
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& file, std::uint64_t most, Links links) {
  return ReadFile(file, OpenFile(file, links), most);
}

absl::StatusOr<std::string> ReadFile(const std::string& name, const OpenFile& file,
                                     std::uint64_t most) {
  if (absl::Status why = WhyNotRead(name, file, most); !why.ok()) return why;
  absl::StatusOr<std::string> bytes = ReadFrom(file, 0, most);
  if (bytes.ok()) return bytes;
  return absl::PermissionDeniedError(fmt::format("{} cannot be read: {}", words::Printable(name),
                                                 std::string(bytes.status().message())));
}

absl::StatusOr<std::unique_ptr<const MappedFile>> MapFile(const std::string& file,
                                                          std::uint64_t most, Links links) {
  const OpenFile opened(file, links);
  if (absl::Status why = WhyNotRead(file, opened, most); !why.ok()) return why;
  auto mapped = std::make_unique<const MappedFile>(opened);
  if (mapped->bytes().size() == opened.size()) return mapped;
  return absl::PermissionDeniedError(
      fmt::format("{} cannot be read: not enough memory for it", words::Printable(file)));
}

std::string ReadStart(const std::string& file, std::uint64_t most) {
  const OpenFile opened(file);
  return opened.error() != 0 ? std::string() : ReadFrom(opened, 0, most).value_or("");
}

std::string ReadTail(const std::string& file, std::uint64_t most, Links links) {
  const OpenFile opened(file, links);
  if (opened.error() != 0) return {};
  return ReadFrom(opened, opened.size() - std::min(opened.size(), most), most).value_or("");
}

int WriteNewFile(const std::string& file, std::string_view text) {
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (made < 0) return errno;
  std::size_t written = 0;
  const int error = recording::WriteAll(made, text, &written);
  return close(made) != 0 && error == 0 ? errno : error;
}

std::ofstream OpenNoLink(const std::string& file, std::ios::openmode how) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const fs::path path(file);
  const Way folder = WayOf(path.has_parent_path() ? path.parent_path().string() : ".");
  std::ofstream stream;
  if (!folder.link.empty()) {
    stream.setstate(std::ios::failbit);
    return stream;
  }
  const bool appends = (how & std::ios::app) != 0;
  const std::string real = (fs::path(folder.real) / path.filename()).string();
  const int opened = OpenWithoutLinks(real, kFlags | (appends ? O_APPEND : O_TRUNC), 0666);
  struct stat status {};
  const bool is_pipe = opened >= 0 && fstat(opened, &status) == 0 && S_ISFIFO(status.st_mode);
  if (is_pipe) {
    stream.setstate(std::ios::failbit);
  } else {  // a stream opens names alone, and this name is of the open file
    stream.open(fmt::format("/proc/self/fd/{}", opened), std::ios::binary | how);
  }
  if (opened >= 0) close(opened);
  return stream;
}

}  // namespace coalcheck::cli

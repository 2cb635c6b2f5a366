// SPDX-License-Identifier: Apache-2.0
//
// Lines and cubins go to disk, each whole or not at all as far as the disk allows.
#include "libcoalcheck/recording/writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "libcoalcheck/recording/file_calls.h"
#include "libcoalcheck/recording/json_line.h"

namespace coalcheck::recording {
namespace {

constexpr int kAppendFlags = O_WRONLY | O_APPEND | O_NOFOLLOW;

std::string ErrorText(int error) { return std::generic_category().message(error); }

std::string RecordsPath(const std::string& folder) {
  return fmt::format("{}/{}", folder, kRecordsFile);
}

Error CannotMake(std::string_view what, int error) {
  return Error{fmt::format("cannot make {}: {}", what, ErrorText(error))};
}

Error CannotOpenRecords(const std::string& path, int error) {
  if (error != EEXIST) return CannotMake(path, error);
  return Error{
      fmt::format("{} exists: a recording is never overwritten; name another folder", path)};
}

// Writes a new file, which must not exist; 0 or an errno value.
int WriteNewFile(const std::string& path, std::string_view bytes) {
  const int file = OpenHigh(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (file < 0) return errno;
  std::size_t written = 0;
  const int write_error = WriteAll(file, bytes, &written);
  const int close_error = close(file) == 0 ? 0 : errno;
  return write_error != 0 ? write_error : close_error;
}

// The same, but nobody sees the file before all of it is there.
int PutInPlace(const std::string& path, const std::string& partial, std::string_view bytes) {
  int error = WriteNewFile(partial, bytes);
  if (error == 0 && rename(partial.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(partial.c_str());
  return error;
}

}  // namespace

Result<std::unique_ptr<Writer>> Writer::Create(const std::string& folder) noexcept {
  try {
    if (const int error = MakeFolders(folder); error != 0) return CannotMake(folder, error);
    const std::string real_folder = RealPath(folder);
    if (real_folder.empty()) return CannotMake(folder, errno);
    const std::string cubins = fmt::format("{}/{}", real_folder, kCubinFolder);
    if (const int error = MakeFolders(cubins); error != 0) return CannotMake(cubins, error);

    const std::string records = RecordsPath(real_folder);
    const int file = OpenHigh(records, kAppendFlags | O_CREAT | O_EXCL);
    if (file < 0) return CannotOpenRecords(records, errno);
    struct stat status = {};
    if (fstat(file, &status) != 0) return CannotMake(records, errno);
    return std::unique_ptr<Writer>(new Writer(real_folder, file, status.st_dev, status.st_ino));
  } catch (...) {
    return Error{"out of memory"};
  }
}

Writer::Writer(std::string folder, int file, dev_t device, ino_t inode)
    : folder_(std::move(folder)), device_(device), inode_(inode), file_(file) {}

Writer::~Writer() {
  if (StillOurs()) close(file_);
}

bool Writer::Append(const Record& record) noexcept {
  if (const End* end = std::get_if<End>(&record)) return AppendEnd(*end);
  return AppendLine(ToJsonLine(record), KindOf(record));
}

bool Writer::Append(const Window& window) noexcept {
  return AppendLine(ToJsonLine(window), "window");
}

bool Writer::AppendLine(const std::string& line, std::string_view kind) noexcept {
  try {
    const MutexLock lock(file_mutex_);
    return Put(line, kind);
  } catch (...) {
    return false;
  }
}

bool Writer::AppendEnd(const End& end) noexcept {
  try {
    const MutexLock lock(file_mutex_);
    if (torn_ && !Put("\n", "")) return false;  // so that all that comes before it is known
    End vouching = end;
    vouching.before = contents_;
    vouching.before->hash = hash_.value();
    return Put(ToJsonLine(vouching), KindOf(vouching));
  } catch (...) {
    return false;
  }
}

bool Writer::Put(const std::string& line, std::string_view kind) {
  if (line.empty()) return Fail("append", ENOMEM);
  if (line.size() > kMaxLineBytes) return Fail("append a record", EMSGSIZE);
  if (!EnsureOpen()) return false;
  // After a torn line the reader must find the start of this one.
  const std::string bytes = torn_ && !kind.empty() ? "\n" + line : line;
  std::size_t written = 0;
  const int error = WriteAll(file_, bytes, &written);
  if (written > 0) torn_ = error != 0;
  written_ += written;
  hash_.Add(std::string_view(bytes).substr(0, written));
  if (error != 0) return Fail("append", error);
  if (!kind.empty()) ++contents_.records[std::string(kind)];
  return true;
}

bool Writer::StoreCubin(CubinId id, std::string_view bytes) noexcept {
  try {
    const std::string path = fmt::format("{}/{}/{}.cubin", folder_, kCubinFolder, ToHex(id));
    const MutexLock lock(cubin_mutex_);
    if (access(path.c_str(), F_OK) == 0) return true;
    const std::string partial = fmt::format("{}.{}.{}.part", path, getpid(), ++cubin_attempts_);
    if (const int error = PutInPlace(path, partial, bytes); error != 0) {
      return Fail("store a cubin", error);
    }
    written_ += bytes.size();
    return true;
  } catch (...) {
    return false;
  }
}

// Not mapped: a page that the disk has no room for would kill the host when it is touched. An empty
// file would be damage, so that none is there before it has numbers, whenever the host is killed.
void Writer::WriteProgress(const Progress& progress) noexcept {
  try {
    const std::string path = fmt::format("{}/{}", folder_, kProgressFile);
    const std::string bytes = ProgressBytes(progress);
    const int file = OpenHigh(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
      if (errno == ENOENT) PutInPlace(path, path + ".part", bytes);
      return;
    }
    std::size_t written = 0;
    static_cast<void>(WriteAll(file, bytes, &written));
    close(file);
  } catch (...) {
    return;
  }
}

std::string Writer::last_error() const {
  const MutexLock lock(error_mutex_);
  return last_error_;
}

// Hosts that close every descriptor exist; the number may then be a file of theirs.
bool Writer::StillOurs() const {
  struct stat status = {};
  return fstat(file_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

bool Writer::EnsureOpen() {
  if (StillOurs()) return true;
  const int file = OpenHigh(RecordsPath(folder_), kAppendFlags);
  if (file < 0) return Fail("reopen", errno);
  file_ = file;
  if (StillOurs()) return true;
  close(file);
  file_ = -1;
  return Fail("reopen", ESTALE);
}

bool Writer::Fail(const char* doing, int error) {
  const MutexLock lock(error_mutex_);
  last_error_ = fmt::format("cannot {} in {}: {}", doing, folder_, ErrorText(error));
  return false;
}

}  // namespace coalcheck::recording

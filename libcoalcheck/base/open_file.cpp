// SPDX-License-Identifier: Apache-2.0
//
// Opens without waiting, then looks at what was opened.
#include "libcoalcheck/base/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace coalcheck {
namespace {

int Open(const std::string& path, Links links, int access) {
  const int flags = access | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  if (links == Links::kRefuseAll) return OpenWithoutLinks(path, flags);
  return open(path.c_str(), links == Links::kRefuse ? flags | O_NOFOLLOW : flags);
}

}  // namespace

int OpenWithoutLinks(const std::string& path, int flags, unsigned mode) {
  std::size_t at = path.starts_with('/') ? 1 : 0;
  int folder = open(at == 1 ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (std::size_t end = path.find('/', at); folder >= 0 && end != std::string::npos;
       end = path.find('/', at)) {
    const std::string part = path.substr(at, end - at);
    const int next =
        part.empty() ? dup(folder)
                     : openat(folder, part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int error = errno;
    close(folder);
    errno = error;
    folder = next;
    at = end + 1;
  }
  if (folder < 0) return -1;
  const int file = openat(folder, path.c_str() + at, flags | O_NOFOLLOW, mode);
  const int error = errno;
  close(folder);
  errno = error;
  return file;
}

OpenFile::OpenFile(const std::string& path, Links links, int access)
    : descriptor_(Open(path, links, access)) {
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
    error_ = errno;
  } else if (S_ISDIR(status.st_mode)) {
    error_ = EISDIR;
  } else if (!S_ISREG(status.st_mode)) {
    error_ = EINVAL;
  }
  // Nobody reads a pipe that is opened for writing, and sockets cannot be opened at all.
  if (error_ == ENXIO) error_ = EINVAL;
  if (error_ == 0) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    owner_ = status.st_uid;
  } else if (descriptor_ >= 0) {
    close(descriptor_);
    descriptor_ = -1;
  }
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace coalcheck

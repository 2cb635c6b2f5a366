// SPDX-License-Identifier: Apache-2.0
//
// Opens without waiting, then looks at what was opened.
#include "libcoalcheck/base/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace coalcheck {

OpenFile::OpenFile(const std::string& path, Links links, int access) {
  const int no_links = links == Links::kRefuse ? O_NOFOLLOW : 0;
  descriptor_ = open(path.c_str(), access | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | no_links);
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

// SPDX-License-Identifier: Apache-2.0
//
// Opens without waiting, for a named pipe would.
#include "libcoalcheck/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coalcheck {

MappedFile::MappedFile(const std::string& path, Links links) {
  const int no_links = links == Links::kRefuse ? O_NOFOLLOW : 0;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | no_links);
  if (file < 0) return;
  struct stat status {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* start = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    start_ = start == MAP_FAILED ? nullptr : start;
  }
  close(file);
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) munmap(start_, size_);
}

}  // namespace coalcheck

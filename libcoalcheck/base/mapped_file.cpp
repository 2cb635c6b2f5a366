// SPDX-License-Identifier: Apache-2.0
//
// An empty file has nothing to map.
#include "libcoalcheck/base/mapped_file.h"

#include <sys/mman.h>

namespace coalcheck {

MappedFile::MappedFile(const std::string& path, Links links) : MappedFile(OpenFile(path, links)) {}

MappedFile::MappedFile(const OpenFile& file) : size_(static_cast<std::size_t>(file.size())) {
  if (size_ == 0) return;
  void* start = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  start_ = start == MAP_FAILED ? nullptr : start;
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) munmap(start_, size_);
}

}  // namespace coalcheck

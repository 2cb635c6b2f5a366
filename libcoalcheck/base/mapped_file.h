// SPDX-License-Identifier: Apache-2.0
//
// A file's bytes, read where they are looked at.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libcoalcheck/base/open_file.h"

namespace coalcheck {

// Holds a regular file while it lives. Another process may change or cut it meanwhile.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path, Links links = Links::kFollow);
  explicit MappedFile(const OpenFile& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Empty when the file is, is no regular one, or cannot be read.
  std::string_view bytes() const {
    return start_ == nullptr ? std::string_view()
                             : std::string_view(static_cast<const char*>(start_), size_);
  }

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace coalcheck

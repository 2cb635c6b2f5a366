// SPDX-License-Identifier: Apache-2.0
//
// The one way to open a file that somebody else may have made.
#pragma once

#include <cstdint>
#include <string>

namespace coalcheck {

// Where a path may hold symbolic links: anywhere, not at its end, or nowhere.
enum class Links { kFollow, kRefuse, kRefuseAll };

// As open(2), folder by folder: -1 with ELOOP or ENOTDIR where a link stands anywhere on the way.
int OpenWithoutLinks(const std::string& path, int flags, unsigned mode = 0);

// A regular file, open while this lives. A named pipe is not waited for, and neither it nor a
// device is read.
class OpenFile {
 public:
  // `access` as for open(2).
  explicit OpenFile(const std::string& path, Links links = Links::kFollow, int access = 0);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  // 0, or an errno: EISDIR for a folder, ELOOP for a link that is refused (ENOTDIR where it stands
  // for a folder), EINVAL for anything else that is not a regular file.
  int error() const { return error_; }
  int descriptor() const { return descriptor_; }  // -1 where there is an error
  std::uint64_t size() const { return size_; }    // when it was opened
  std::uint32_t owner() const { return owner_; }  // the user's id

 private:
  int descriptor_;
  int error_ = 0;
  std::uint64_t size_ = 0;
  std::uint32_t owner_ = 0;
};

}  // namespace coalcheck

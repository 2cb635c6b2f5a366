// SPDX-License-Identifier: Apache-2.0
//
// The source files that code was compiled from, with their times and sizes: they tell whether the
// files on disk are the ones that were compiled.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace coalcheck::cubin {

// Of a file: its last modification, in seconds since 1970, and its bytes.
struct FileStamp {
  std::uint64_t time = 0;
  std::uint64_t size = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// By path as compiled. Files without a stamp in the line table, or with two different ones, are
// left out. `code`: a cubin, or PTX that is a file by itself; what is neither has none.
using SourceStamps = std::map<std::string, FileStamp, std::less<>>;
SourceStamps SourceStampsOf(std::string_view code);

}  // namespace coalcheck::cubin

// SPDX-License-Identifier: Apache-2.0
//
// Files that somebody else may have made: regular ones only, never waited for, of a bounded size.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "libcoalcheck/base/mapped_file.h"
#include "libcoalcheck/base/open_file.h"

namespace coalcheck::cli {

// The bytes of a file that has at most `most`. Messages begin with its name, fit for a terminal.
absl::StatusOr<std::string> ReadFile(const std::string& file, std::uint64_t most,
                                     Links links = Links::kFollow);
absl::StatusOr<std::string> ReadFile(const std::string& name, const OpenFile& file,
                                     std::uint64_t most);

// The same for large files: their pages are read when they are used.
absl::StatusOr<std::unique_ptr<const MappedFile>> MapFile(const std::string& file,
                                                          std::uint64_t most,
                                                          Links links = Links::kFollow);

// At most `most` bytes from the start of a file, or from its end; empty where it cannot be read.
std::string ReadStart(const std::string& file, std::uint64_t most);
std::string ReadTail(const std::string& file, std::uint64_t most, Links links);

// Makes a file that is not there yet; follows no link. Returns 0 or an errno.
int WriteNewFile(const std::string& file, std::string_view text);

// Empties the file, with std::ios::app as `how` keeps what it holds, or makes it, and writes to it.
// The stream is bad where that cannot be, where a link or a pipe stands there (whoever put a pipe
// there need not read from it), and where a link on the way leads out of its git repository.
std::ofstream OpenNoLink(const std::string& file, std::ios::openmode how = std::ios::trunc);

}  // namespace coalcheck::cli
